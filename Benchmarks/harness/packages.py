"""Which packages a Python has that contestants run in, and in which versions."""

import json
import subprocess

PROGRAM = """
import importlib.metadata, json, sys
versions = {}
for name in sys.argv[1:]:
    try:
        versions[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        pass
print(json.dumps(versions))
"""


def versions(python, *names):
    """By name, those that are there."""
    result = subprocess.run([python, "-c", PROGRAM, *names], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(result.stdout)

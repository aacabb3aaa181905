"""Libraries in C that a program under test loads before its own."""

import pathlib
import shutil
import subprocess


def build(name, folder):
    """Compiles `name`.c, which is beside this file, into `folder`. The library's path."""
    compiler = next((name for name in ("cc", "clang", "gcc") if shutil.which(name)), None)
    if compiler is None:
        raise RuntimeError("there is no C compiler (cc, clang or gcc); install one")
    library = pathlib.Path(folder) / f"{name}.so"
    source = pathlib.Path(__file__).with_name(f"{name}.c")
    subprocess.run([compiler, "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source], check=True)
    return library

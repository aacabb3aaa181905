"""A Python that has Google's own interpreter, which campaigns compare results with."""

import subprocess

from campaign import options

REQUIREMENTS = "scripts/soak.d/campaign/requirements.txt"
FOLDER = ".build/reference-venv"
LOG = ".build/logs/reference-venv.log"
_MAKE = 'source scripts/venv.sh; venv_has "$0" "$1" || venv_install "$0" "$1" "$2"'


def path():
    """The interpreter, made where it is missing; None where its packages cannot be installed, as without a network."""
    result = subprocess.run(["bash", "-c", _MAKE, FOLDER, REQUIREMENTS, LOG], cwd=options.ROOT, check=False)
    return options.ROOT / FOLDER / "bin/python" if result.returncode == 0 else None

# Environments of Python packages below .build. Sourced by scripts/python and scripts/browser.

# Whether the environment has exactly the versions that the file names.
venv_has() { # FOLDER REQUIREMENTS
    [[ -x "$1/bin/python" ]] && "$1/bin/python" - "$2" <<'PYTHON' 2>/dev/null
import importlib.metadata, sys
for line in open(sys.argv[1]):
    if line.strip() and not line.startswith("#"):
        name, version = line.strip().split("==")
        if importlib.metadata.version(name) != version:
            sys.exit(1)
PYTHON
}

# Installs with the machine's own pip, because Debian's Python makes no environment that has one.
venv_install() { # FOLDER REQUIREMENTS LOG
    mkdir -p "$(dirname "$3")"
    {
        { [[ -x "$1/bin/python" ]] || python3 -m venv --clear --without-pip "$1"; } &&
            python3 -m pip --python "$1/bin/python" install --disable-pip-version-check --only-binary=:all: -r "$2"
    } >>"$3" 2>&1 && venv_has "$1" "$2"
}

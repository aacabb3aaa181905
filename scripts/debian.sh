# Debian packages. Sourced by scripts/bootstrap, scripts/browser and scripts/engines, which define `say`, `fail` and `log`.

as_root() {
    if ((EUID == 0)); then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "installing needs root: run this script as root, or install sudo"
    fi
}

# Prints those of its arguments that are not installed, one per line.
missing_packages() {
    local installed package
    installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
    for package in "$@"; do
        grep -qxF "installed $package" <<<"$installed" || echo "$package"
    done
}

install_packages() {
    say "installing Debian packages: $*"
    as_root apt-get -q -o DPkg::Lock::Timeout=300 update >>"$log" 2>&1 ||
        fail "apt-get update failed ($(last_error)); is this machine online? Everything: $log"
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "$@" >>"$log" 2>&1 ||
        fail "apt-get install failed ($(last_error)); is this machine online? Everything: $log"
}

last_error() {
    grep -E '^(E|ERROR|W|WARNING): ' "$log" | tail -n 1 || true
}

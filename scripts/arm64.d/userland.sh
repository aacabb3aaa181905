# What is tried in a plain Debian 12 for arm64, under emulation. Part of scripts/arm64.

# Unpacks it into a new folder, with this machine's network.
unpack_userland() { # ROOT
    mkdir -p "$1"
    tar -C "$1" -xf "$userland"
    cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
    # A package starts no service.
    printf '#!/bin/sh\nexit 101\n' >"$1/usr/sbin/policy-rc.d"
    chmod 0755 "$1/usr/sbin/policy-rc.d"
}

# Runs a command in it. It sees this machine's folders that `visible` names, at the same paths.
in_userland() { # ROOT COMMAND ...
    local root=$1
    shift
    # shellcheck disable=SC2016 # the inner shell expands these
    VISIBLE="${visible-}" in_emulation bash -c '
        # The engine reads from /sys which processor it has.
        mount --rbind /dev "$1/dev" && mount --rbind /proc "$1/proc" && mount --rbind /sys "$1/sys" || exit 95
        for folder in $VISIBLE; do mkdir -p "$1$folder" && mount --bind "$folder" "$1$folder" || exit 94; done
        exec chroot "$1" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 QEMU_CPU="$QEMU_CPU" "${@:2}"' \
        - "$root" "$@"
}

# Makes the results of Google's interpreter for the shared data, and holds hearth's answers against them.
compare_answers() {
    need_setup
    local folder=$cache/compare tools=$cache/compare/tools inputs=$cache/compare/inputs
    [[ -x .build/arm64/programs/hearth ]] || fail "run first: scripts/arm64 build"
    [[ -e "$data/README.md" ]] || fail "there is no shared data in $data; HEARTH_SHARED_DATA names its folder"
    mkdir -p "$folder"
    if [[ ! -x "$tools/bin/python" ]]; then
        say "fetching Pillow and OpenCV, for this machine"
        { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet pillow==13.0.0 opencv-python-headless==5.0.0.93; } \
            >"$folder/log" 2>&1 || fail "cannot fetch them: $(tail -n 1 "$folder/log")"
    fi
    "$tools/bin/python" scripts/arm64.d/goldens.py inputs "$data" "$inputs"
    say "running Google's interpreter on $(find "$inputs" -type f | wc -l) inputs (minutes)"
    local root=$folder/root
    rm -rf --one-file-system "$root" "$goldens"
    unpack_userland "$root"
    visible="$checkout $cache $data" in_userland "$root" env PYTHONPATH="$python_packages" python3 -B "$checkout/scripts/arm64.d/goldens.py" results \
        "$data" "$inputs" "$goldens" 2>"$folder/log" || fail "Google's interpreter failed: $(tail -n 3 "$folder/log")"
    rm -rf --one-file-system "$root"
    say "comparing hearth with it"
    python3 scripts/arm64.d/compare.py "$goldens" scripts/arm64 --cache "$cache" run "$checkout/.build/arm64/programs/hearth"
}

# Installs the package in a plain Debian, labels a picture there, and pulls a model from a server of this machine.
try_package() { # DEB
    need_setup
    local package=${1-} folder=$cache/try
    [[ -f "$package" ]] || refuse "name the package to try, as scripts/arm64 package made it"
    [[ -x "$server_program" ]] || fail "there is no $server_program, which plays the server; run: scripts/build --product hearth-full"
    rm -rf --one-file-system "$folder"
    unpack_userland "$folder/guest"
    cp "$package" "$folder/guest/opt/hearth.deb"
    start_server "$folder"
    cp "$folder/data/credentials/GoogleService-Info.plist" "$folder/guest/opt/"
    in_userland "$folder/guest" bash -euc '
        cd /opt
        apt-get -q update >/dev/null
        time apt-get -q -y -o Dpkg::Use-Pty=0 install --no-install-recommends ./hearth.deb >/dev/null
        set -x
        uname -m
        hearth --version
        hearth label /usr/share/hearth/models/digits-labeler /usr/share/hearth/models/digits-labeler/examples/7-a.png
        export HEARTH_APP_CONFIG=/opt/GoogleService-Info.plist
        hearth pull digits
        hearth label digits /usr/share/hearth/models/digits-labeler/examples/3-a.png --max 1
    ' || fail "the package failed in a plain Debian 12 for arm64"
    say "the package works in a plain Debian 12 for arm64"
    rm -rf --one-file-system "$folder"
}

# Serves the model "digits" on loopback until this script ends.
start_server() { # FOLDER
    local tries
    "$server_program" serve --data "$1/data" --port 0 --quiet >"$1/server" 2>&1 &
    server=$!
    trap 'kill "$server" 2>/dev/null' EXIT
    for tries in {1..300}; do
        if grep -q '^devices:' "$1/server"; then break; fi
        kill -0 "$server" 2>/dev/null || fail "the server does not start: $(tail -n 1 "$1/server")"
        sleep 0.1
    done
    "$server_program" models push digits Models/digits-labeler --publish \
        --credentials "$1/data/credentials/admin-service-account.json" >/dev/null || fail "the model could not be pushed"
}

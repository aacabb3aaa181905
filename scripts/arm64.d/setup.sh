# Fetches everything and makes the folders of the cross build. Part of scripts/arm64.

readonly pins=scripts/arm64.d/pins
readonly keyring=/usr/share/keyrings/debian-archive-keyring.gpg
# The -dev packages of the C libraries that Hearth uses, as in scripts/bootstrap, and what the programs need at run time.
readonly target_packages="libc6-dev libgcc-12-dev libstdc++-12-dev libturbojpeg0-dev libpng-dev libwebp-dev libgif-dev zlib1g-dev
    libssl-dev libcurl4-openssl-dev libmicrohttpd-dev libsqlite3-dev libpq-dev libseccomp-dev libre2-dev libboost-dev libfreetype-dev"

root=$cache/root            # Debian's development suite for this machine, with Swift
swift_arm64=$cache/swift    # Swift's libraries for arm64
sysroot=$cache/sysroot      # Debian 12 for arm64: headers and libraries
newer=$cache/newer          # a newer C library for arm64, for programs that load Swift's libraries
userland=$cache/userland.tar # a plain Debian 12 for arm64
python_packages=$cache/python
goldens=$cache/goldens      # the shared data with the results of an arm64 processor
emulator=$cache/emulator/usr/bin/qemu-aarch64
pkgconfig=$cache/pkgconfig
swift_libraries=usr/libexec/swift/lib

# Where this machine gets its own Debian from.
mirror() {
    apt-get indextargets --format "\$(CODENAME) \$(COMPONENT) \$(REPO_URI)" "Created-By: Packages" 2>/dev/null |
        awk '$1 == "bookworm" && $2 == "main" && $3 !~ /@/ { print $3; exit }'
}

setup() { # [--pin]
    pin=false
    if [[ "${1-}" == --pin ]]; then
        pin=true
        rm -rf --one-file-system "$cache"/{apt,emulator,sysroot,root,swift,engine,newer,userland.tar}
        : >"$pins"
    fi
    : >"$cache/setup.log"
    step "the emulator" "$emulator" fetch_emulator
    step "Debian 12 for arm64" "$sysroot/.made" make_sysroot
    step "the root with Swift" "$root/.made" make_root
    step "Swift's libraries for arm64" "$swift_arm64/.made" make_swift_libraries
    step "the engine" "$sysroot/usr/local/lib/libLiteRt.so" fetch_engine
    step "a newer C library" "$newer/.made" make_newer
    step "Google's engine for Python" "$python_packages/.made" fetch_python_packages
    step "a plain Debian 12 for arm64" "$userland" make_userland
    sort -u -o "$pins" "$pins"
    make_sdk
    say "ready in $cache ($(du -sh "$cache" | cut -f 1))"
}

step() { # WHAT FILE FUNCTION
    if [[ -e "$2" ]]; then return; fi
    local status=0
    say "making $1"
    # In a condition, the shell would go on after an error inside.
    set +e
    (
        set -e
        "$3"
    ) >>"$cache/setup.log" 2>&1
    status=$?
    set -e
    ((status == 0)) || fail "$1 could not be made: $(tail -n 1 "$cache/setup.log"); everything: $cache/setup.log"
}

# A view of another suite and architecture, without an influence on this machine's own packages.
apt_view() { # NAME ARCHITECTURE SUITE [COMPONENTS...]: leaves its configuration in $cache/apt/NAME.conf
    local folder=$cache/apt/$1
    mkdir -p "$folder"/{lists/partial,archives/partial,etc}
    : >"$folder/status"
    printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$(mirror)" "$3" >"$folder/etc/sources.list"
    cat >"$cache/apt/$1.conf" <<TEXT
APT::Architecture "$2";
APT::Architectures { "$2"; };
APT::Sandbox::User "root";
APT::Install-Recommends "false";
Dir::Etc::sourcelist "$folder/etc/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State::lists "$folder/lists";
Dir::State::status "$folder/status";
Dir::Cache::archives "$folder/archives";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
TEXT
    APT_CONFIG=$cache/apt/$1.conf apt-get -q update
}

# Every fetched package must be the one that was tried.
check_pins() { # FILE ...
    local file line other=()
    for file in "$@"; do
        line="$(sha256sum "$file" | cut -d ' ' -f 1)  $(basename "$file" | sed 's/%3a/:/g')"
        if $pin; then
            printf '%s\n' "$line" >>"$pins"
        elif ! grep -qxF "$line" "$pins"; then
            other+=("$(basename "$file")")
        fi
    done
    ((${#other[@]} > 0)) || return 0
    echo "not the packages that are listed in $pins: ${other[*]}. Debian has newer ones; to take them: scripts/arm64 setup --pin"
    return 1
}

fetch_emulator() {
    apt_view emulator amd64 bookworm-backports
    (cd "$cache/apt/emulator" && APT_CONFIG=$cache/apt/emulator.conf apt-get -q download qemu-user)
    local package
    package=$(ls "$cache"/apt/emulator/qemu-user_*.deb)
    check_pins "$package"
    mkdir -p "$cache/emulator"
    dpkg-deb -x "$package" "$cache/emulator"
    "$emulator" --version
}

make_sysroot() {
    rm -rf "$sysroot"
    mkdir -p "$sysroot"/usr/{lib,bin,sbin,local/lib}
    ln -s usr/lib "$sysroot/lib"
    ln -s usr/bin "$sysroot/bin"
    ln -s usr/sbin "$sysroot/sbin"
    apt_view target arm64 bookworm
    # shellcheck disable=SC2086 # a list
    APT_CONFIG=$cache/apt/target.conf apt-get -q -y --download-only install $target_packages
    check_pins "$cache"/apt/target/archives/*.deb
    local package link
    for package in "$cache"/apt/target/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -C "$sysroot" --keep-directory-symlink -xf -
    done
    # Links to absolute paths would lead into this machine.
    while read -r link; do
        ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$sysroot$(readlink "$link")")" "$link"
    done < <(find "$sysroot" -type l -lname '/*')
    touch "$sysroot/.made"
}

make_root() {
    local tool=$cache/debootstrap package
    mkdir -p "$tool"
    (cd "$tool" && apt-get -q download debootstrap && dpkg-deb -x debootstrap_*.deb .)
    rm -rf --one-file-system "$root"
    DEBOOTSTRAP_DIR=$tool/usr/share/debootstrap bash "$tool/usr/sbin/debootstrap" --variant=minbase --include=ca-certificates \
        sid "$root" "$(mirror)"
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/" 2>/dev/null || true
    apt_view build amd64 sid
    (cd "$cache/apt/build" && APT_CONFIG=$cache/apt/build.conf apt-get -q download swiftlang libswiftlang)
    check_pins "$cache"/apt/build/*swiftlang_*.deb
    cp "$cache"/apt/build/*swiftlang_*.deb "$root/var/tmp/"
    # A mirror may keep an older state of the suite than its own lists allow.
    echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/keep-old-lists"
    in_root "$root" bash -c 'export DEBIAN_FRONTEND=noninteractive; apt-get -q update && apt-get -q -y --no-install-recommends install \
        /var/tmp/*.deb binutils libc6-dev libstdc++-15-dev git pkg-config lld && update-ca-certificates && rm /var/tmp/*.deb && apt-get clean'
    in_root "$root" swift --version
    touch "$root/.made"
}

make_swift_libraries() {
    rm -rf "$swift_arm64"
    mkdir -p "$swift_arm64"
    apt_view swift arm64 sid
    (cd "$cache/apt/swift" && APT_CONFIG=$cache/apt/swift.conf apt-get -q download swiftlang libswiftlang)
    check_pins "$cache"/apt/swift/*swiftlang_*.deb
    dpkg-deb --fsys-tarfile "$cache"/apt/swift/swiftlang_*.deb |
        tar -C "$swift_arm64" -xf - ./"$swift_libraries"/{swift,swift_static,clang}
    dpkg-deb -x "$cache"/apt/swift/libswiftlang_*.deb "$swift_arm64"
    # The compiler looks for its start files in the target, whatever its options say.
    ln -sfn "$swift_arm64/$swift_libraries/swift" "$sysroot/usr/lib/swift"
    ln -sfn "$swift_arm64/$swift_libraries/swift_static" "$sysroot/usr/lib/swift_static"
    # Debian left this library out; the tests ask for it, and nothing in it is used.
    printf '!<arch>\n' >"$swift_arm64/$swift_libraries/swift/linux/lib_Testing_Foundation.a"
    touch "$swift_arm64/.made"
}

fetch_engine() {
    local wheel
    mkdir -p "$cache/engine"
    python3 -m pip download --quiet --disable-pip-version-check --dest "$cache/engine" --no-deps --only-binary=:all: \
        --python-version 3.11 --platform "${litert_platforms[aarch64]}" "ai-edge-litert==$litert_version"
    wheel=$(ls "$cache"/engine/*.whl)
    sha256sum --check - <<<"${litert_wheel_hashes[aarch64]}  $wheel"
    python3 -m zipfile -e "$wheel" "$cache/engine/unpacked"
    sha256sum --check - <<<"${litert_library_hashes[aarch64]}  $cache/engine/unpacked/ai_edge_litert/libLiteRt.so"
    install -m 0644 "$cache/engine/unpacked/ai_edge_litert/libLiteRt.so" "$sysroot/usr/local/lib/libLiteRt.so"
}

# Swift's shared libraries want a newer C library than Debian 12 has. Only tests load them.
make_newer() {
    local package
    rm -rf "$newer"
    mkdir -p "$newer"/usr/{lib,bin,sbin}
    for package in lib bin sbin; do ln -s "usr/$package" "$newer/$package"; done
    (cd "$cache/apt/swift" && APT_CONFIG=$cache/apt/swift.conf apt-get -q download libc6 libstdc++6 libgcc-s1)
    check_pins "$cache"/apt/swift/{libc6,libstdc++6,libgcc-s1}_*.deb
    for package in "$cache"/apt/swift/{libc6,libstdc++6,libgcc-s1}_*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -C "$newer" --keep-directory-symlink -xf -
    done
    touch "$newer/.made"
}

# Google's own interpreter with what it needs, for the results that ours are compared with. It runs in the plain Debian.
fetch_python_packages() {
    local wheels=$cache/engine/wheels
    rm -rf "$python_packages" "$wheels"
    python3 -m pip download --quiet --disable-pip-version-check --dest "$wheels" --only-binary=:all: --python-version 3.11 \
        --platform manylinux_2_27_aarch64 --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 \
        "ai-edge-litert==$litert_version" "numpy<2.5"
    check_pins "$wheels"/*.whl
    mkdir -p "$python_packages"
    for wheel in "$wheels"/*.whl; do python3 -m zipfile -e "$wheel" "$python_packages"; done
    touch "$python_packages/.made"
}

# What a Raspberry Pi has before anything of ours is on it. Its packages are configured under emulation.
make_userland() {
    in_emulation "$checkout/scripts/packaging/mmdebstrap" --mode=root --format=tar --architectures=arm64 --variant=minbase --skip=check/qemu \
        --include=ca-certificates,python3 bookworm "$userland.new" "$(mirror)"
    mv "$userland.new" "$userland"
}

# The container image. Part of scripts/package.

# hearth-VERSION-ARCH.oci.tar: an image layout as the Open Container Initiative describes it, which podman, skopeo and
# docker load.
make_image() {
    local name=hearth-$version-$architecture.oci.tar deb=$scratch/made/hearth_$version-1_$architecture.deb
    ((EUID == 0)) || fail "the image needs root: sudo scripts/package image"
    [[ "$architecture" == amd64 ]] || fail "the image is made for amd64 only"
    [[ -f "$deb" ]] || make_deb
    say "making $name"
    make_root "$deb"
    python3 scripts/packaging/oci_image.py "$scratch/root.tar" "$scratch/made/$name" --architecture "$architecture" \
        --version "$version" --commit "$commit" || fail "cannot write the image"
}

# A root with the package and what it needs, without documents, languages and lists of packages, which a server does not use.
make_root() { # DEB
    local log=$PWD/.build/logs/image.log deb=$scratch/hearth.deb
    mkdir -p .build/logs
    local packages
    packages=$(runtime_packages | awk '{ print $1 }' | paste -sd,),adduser,init-system-helpers,ca-certificates,fonts-dejavu-core
    cp "$1" "$deb"
    # The folder must be readable for the user as whom apt works.
    chmod 0644 "$deb"
    scripts/packaging/mmdebstrap --quiet --mode=root --variant=essential --skip=check/qemu --format=tar \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --aptopt='Apt::Install-Recommends "false"' --include="$packages" \
        --customize-hook='install -d "$1/var/cache/hearth"' --customize-hook="upload '$deb' /var/cache/hearth/hearth.deb" \
        --customize-hook='chroot "$1" dpkg --install /var/cache/hearth/hearth.deb' \
        --customize-hook='rm -r "$1/var/cache/hearth" "$1"/var/lib/apt/lists/* "$1"/var/cache/ldconfig/*' \
        bookworm "$scratch/root.tar" >"$log" 2>&1 || fail "mmdebstrap failed: $(grep -m 1 '^E:' "$log" || tail -n 1 "$log"); everything: $log"
}

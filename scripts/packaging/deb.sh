# The Debian package. Part of scripts/package.

# The package of each library that the programs load, on Debian 12.
declare -A library_packages=(
    [libdl.so.2]="libc6 (>= 2.36)" [libpthread.so.0]="libc6 (>= 2.36)" [librt.so.1]="libc6 (>= 2.36)"
    [libc.so.6]="libc6 (>= 2.36)" [libm.so.6]="libc6 (>= 2.36)" [ld-linux-x86-64.so.2]="libc6 (>= 2.36)"
    [ld-linux-aarch64.so.1]="libc6 (>= 2.36)" [libgcc_s.so.1]="libgcc-s1 (>= 12)" [libstdc++.so.6]="libstdc++6 (>= 12)"
    [libcrypto.so.3]="libssl3 (>= 3.0.0)" [libcurl.so.4]="libcurl4 (>= 7.88.0)" [libfreetype.so.6]="libfreetype6 (>= 2.12)"
    [libgif.so.7]="libgif7 (>= 5.1)" [libgnutls.so.30]="libgnutls30 (>= 3.7.9)" [libmicrohttpd.so.12]="libmicrohttpd12 (>= 0.9.75)"
    [libpng16.so.16]="libpng16-16 (>= 1.6.39)" [libpq.so.5]="libpq5 (>= 15)" [libre2.so.9]="libre2-9 (>= 20220601)" [libseccomp.so.2]="libseccomp2 (>= 2.5.4)"
    [libsqlite3.so.0]="libsqlite3-0 (>= 3.40)" [libturbojpeg.so.0]="libturbojpeg0 (>= 1:2.1)" [libwebp.so.7]="libwebp7 (>= 1.2.4)"
    [libz.so.1]="zlib1g (>= 1:1.2.13)"
)

# The packages that the programs need, sorted, one per line.
runtime_packages() {
    local library
    while read -r library; do
        [[ "$library" != libLiteRt.so ]] || continue
        [[ -n "${library_packages[$library]-}" ]] || fail "the programs load $library, of which scripts/packaging/deb.sh knows no package"
        printf '%s\n' "${library_packages[$library]}"
    done < <(objdump -p "$scratch"/programs/* | awk '$1 == "NEEDED" { print $2 }' | sort -u) | sort -u
}

make_deb() {
    local name=hearth_$version-1_$architecture.deb root=$scratch/deb
    say "making $name"
    cp -R "$scratch/tree" "$root"
    add_service "$root"
    add_documents "$root"
    add_control "$root"
    settle "$root"
    dpkg-deb --root-owner-group -Zxz --build "$root" "$scratch/made/$name" >/dev/null || fail "dpkg-deb failed"
}

add_service() { # ROOT
    has_server || return 0
    local debian=scripts/packaging/debian
    install -D -m 0644 "$debian/hearth.conf" "$1/etc/hearth/hearth.conf"
    install -D -m 0644 "$debian/logrotate" "$1/etc/logrotate.d/hearth"
    install -d "$1/lib/systemd/system"
    install -m 0644 "$debian"/hearth.service "$debian"/hearth-backup.{service,timer} "$1/lib/systemd/system/"
}

add_documents() { # ROOT
    local documents=$1/usr/share/doc/hearth
    # The file copyright has it.
    rm "$documents/LICENSE"
    install -m 0644 scripts/packaging/debian/copyright "$documents/copyright"
    install -m 0644 scripts/packaging/debian/README "$documents/README.Debian"
    gzip -9n <CHANGELOG.md >"$documents/changelog.gz"
    {
        printf 'hearth (%s-1) bookworm; urgency=medium\n\n' "$version"
        printf '  * Version %s. The changes are in changelog.gz.\n\n' "$version"
        printf ' -- %s  %s\n' "$maintainer" "$(date -u -R --date="@$SOURCE_DATE_EPOCH")"
    } | gzip -9n >"$documents/changelog.Debian.gz"
    install -D -m 0644 scripts/packaging/debian/lintian-overrides "$1/usr/share/lintian/overrides/hearth"
    find "$1/usr/share/man" -type f ! -name '*.gz' -exec gzip -9n {} +
}

readonly maintainer="The authors of Hearth <hearth@packages.invalid>"

add_control() { # ROOT
    local root=$1 depends script
    install -d "$root/DEBIAN"
    depends=$(runtime_packages | paste -sd, | sed 's/,/, /g')
    if has_server; then
        depends+=", adduser, init-system-helpers (>= 1.54)"
        for script in postinst prerm postrm; do install -m 0755 "scripts/packaging/debian/$script" "$root/DEBIAN/$script"; done
        printf '%s\n' /etc/hearth/hearth.conf /etc/logrotate.d/hearth >"$root/DEBIAN/conffiles"
    fi
    cat >"$root/DEBIAN/control" <<TEXT
Package: hearth
Version: $version-1
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f 1)
Depends: $depends
Recommends: ca-certificates, fonts-dejavu-core
Suggests: prometheus
Section: net
Priority: optional
Description: host TensorFlow Lite models and run them
 Hearth hosts a team's TensorFlow Lite models, delivers them to apps and
 devices, and runs them there. It understands the calls of Firebase ML, whose
 hosting of models ends on 2027-06-15.
$(has_server && printf ' .\n This package contains the server, the command line, the engine LiteRT, and two\n small models to try.' ||
    printf ' .\n This package contains the command line for devices, the engine LiteRT, and two\n small models to try. It has no server.')
TEXT
    (cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
}

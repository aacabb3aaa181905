# Builds programs and tests for arm64. Part of scripts/arm64.

readonly sdk_name=hearth-arm64

# The description of the target for Swift's package manager, and where its C libraries are.
make_sdk() {
    local sdk=$cache/sdk/$sdk_name.artifactbundle file
    mkdir -p "$sdk/arm64" "$pkgconfig" "$cache/shim"
    cat >"$sdk/info.json" <<TEXT
{"schemaVersion": "1.0", "artifacts": {"$sdk_name": {"type": "swiftSDK", "version": "1", "variants": [
    {"path": "arm64", "supportedTriples": ["x86_64-unknown-linux-gnu", "x86_64-pc-linux-gnu"]}]}}}
TEXT
    cat >"$sdk/arm64/swift-sdk.json" <<TEXT
{"schemaVersion": "4.0", "targetTriples": {"aarch64-unknown-linux-gnu": {
    "sdkRootPath": "$sysroot", "swiftResourcesPath": "$swift_arm64/$swift_libraries/swift",
    "swiftStaticResourcesPath": "$swift_arm64/$swift_libraries/swift_static", "toolsetPaths": ["toolset.json"]}}}
TEXT
    # The last option is for tests, which load libraries of a newer C library.
    cat >"$sdk/arm64/toolset.json" <<TEXT
{"schemaVersion": "1.0", "rootPath": "/usr/libexec/swift/bin",
    "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld"]},
    "linker": {"extraCLIOptions": ["$cache/shim/compat.o", "--allow-shlib-undefined"]}}
TEXT
    for file in "$sysroot"/usr/lib/aarch64-linux-gnu/pkgconfig/*.pc "$sysroot"/usr/share/pkgconfig/*.pc; do
        [[ -f "$file" ]] && sed "s#/usr\(/\|\$\)#$sysroot/usr\1#g" "$file" >"$pkgconfig/$(basename "$file")"
    done
    cat >"$pkgconfig/litert.pc" <<TEXT
Name: litert
Description: LiteRT C runtime for arm64
Version: $litert_version
Libs: -L$sysroot/usr/local/lib -lLiteRt
TEXT
    in_root "$root" /usr/libexec/swift/bin/clang --target=aarch64-unknown-linux-gnu --sysroot="$sysroot" -O2 -fPIC -std=c11 \
        -D_GNU_SOURCE -c "$checkout/scripts/arm64.d/compat.c" -o "$cache/shim/compat.o"
    mkdir -p "$root/root/.swiftpm/swift-sdks"
    ln -sfn "$sdk" "$root/root/.swiftpm/swift-sdks/$sdk_name.artifactbundle"
}

# Runs a command in a root, in which this checkout and the cache have their own paths. All mounts and processes end with it.
in_root() { # ROOT COMMAND ...
    local where=$1
    shift
    # shellcheck disable=SC2016 # the inner shell expands these
    unshare --mount --pid --fork --kill-child --propagation private bash -c '
        root=$1 checkout=$2 cache=$3
        shift 3
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount -t tmpfs tmpfs "$root/tmp"
        for folder in "$checkout" "$cache"; do
            mkdir -p "$root$folder"
            mount --bind "$folder" "$root$folder"
        done
        exec chroot "$root" /usr/bin/env -i -C "$checkout" HOME=/root PATH=/usr/bin:/usr/sbin:/bin:/sbin LANG=C.UTF-8 \
            PKG_CONFIG_PATH="$cache/pkgconfig" HEARTH_TEST_TARGETS="${HEARTH_TEST_TARGETS-}" HEARTH_COMMIT="${HEARTH_COMMIT-}" "$@"
    ' - "$where" "$checkout" "$cache" "$@"
}

need_setup() { [[ -e "$newer/.made" && -e "$root/.made" ]] || fail "run first: scripts/arm64 setup"; }

swift_build() { in_root "$root" swift build --swift-sdk "$sdk_name" "$@"; }

build_program() {
    need_setup
    say "building hearth for arm64 (some minutes)"
    mkdir -p .build/logs
    HEARTH_COMMIT=$(git rev-parse HEAD) swift_build --scratch-path .build/arm64 -c release --static-swift-stdlib --product hearth \
        -Xlinker -rpath -Xlinker "\$ORIGIN" >.build/logs/arm64-build.log 2>&1 ||
        fail "the build failed: $(grep -m 1 'error:' .build/logs/arm64-build.log); everything: .build/logs/arm64-build.log"
    mkdir -p .build/arm64/programs
    cp .build/arm64/release/hearth "$sysroot/usr/local/lib/libLiteRt.so" .build/arm64/programs/
    say "built .build/arm64/programs/hearth ($(stat -c %s .build/arm64/programs/hearth) bytes)"
}

make_packages() {
    [[ -x .build/arm64/programs/hearth ]] || fail "run first: scripts/arm64 build"
    scripts/package --architecture arm64 --programs .build/arm64/programs "$@" deb tarball
}

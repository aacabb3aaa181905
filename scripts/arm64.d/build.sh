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

need_setup() { [[ -e "$userland" && -e "$root/.made" ]] || fail "run first: scripts/arm64 setup"; }

swift_build() { in_root "$root" swift build --swift-sdk "$sdk_name" "$@"; }

# As scripts/packaging/programs.sh builds them for this machine.
build_programs() {
    need_setup
    local program log=$checkout/.build/logs/arm64-build.log programs=.build/arm64/programs
    mkdir -p .build/logs "$programs"
    : >"$log"
    for program in hearth hearth-full; do
        say "building $program for arm64 (some minutes)"
        HEARTH_COMMIT=$(git rev-parse HEAD) swift_build --scratch-path .build/arm64 -c release --static-swift-stdlib \
            --disable-index-store -Xswiftc -gnone -Xswiftc -file-prefix-map -Xswiftc "$checkout=." \
            -Xlinker -rpath -Xlinker "\$ORIGIN" -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now \
            -Xlinker --build-id=none --product "$program" >>"$log" 2>&1 ||
            fail "the build failed: $(grep -m 1 'error:' "$log" || tail -n 1 "$log"); everything: $log"
        # This machine's strip does not know the other processor.
        in_root "$root" /usr/libexec/swift/bin/llvm-objcopy --strip-unneeded --remove-section=.comment --remove-section=.note \
            --remove-section=.swift_modhash ".build/arm64/release/$program" "$programs/$program"
        say "built $programs/$program ($(stat -c %s "$programs/$program") bytes)"
    done
    cp "$sysroot/usr/local/lib/libLiteRt.so" "$programs/"
}

build_tests() { # TARGET ...
    say "building the tests for arm64 (some minutes)"
    mkdir -p .build/logs
    HEARTH_TEST_TARGETS="$*" swift_build --scratch-path .build/arm64-tests --product HearthPackageTests \
        >.build/logs/arm64-tests.log 2>&1 ||
        fail "the build failed: $(grep -m 1 'error:' .build/logs/arm64-tests.log); everything: .build/logs/arm64-tests.log"
}

make_packages() {
    [[ -x .build/arm64/programs/hearth ]] || fail "run first: scripts/arm64 build"
    # The help pages of the programs become the manual, so the programs must run.
    QEMU_LD_PREFIX=$sysroot in_emulation scripts/package --architecture arm64 --programs .build/arm64/programs "$@" deb tarball
}

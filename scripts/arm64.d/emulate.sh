# Runs arm64 programs with the emulator. Part of scripts/arm64.

# A processor with the instructions for small integers, as in a Raspberry Pi 5.
readonly processor=cortex-a76
# The test targets of what runs on devices, and of what they share with the server. Not HearthAppTests: the emulator adds a
# line of its own to what a crash prints, so they run in a machine.
readonly device_targets="HearthErrorsTests HearthConcurrencyTests HearthCryptoTests HearthCompressionTests HearthFilesTests HearthTransportTests
    HearthWireTests HearthPlatformTests HearthModelFileTests HearthKernelsTests TensorFlowLiteTests HearthImagingTests
    HearthDrawingTests HearthVisionTests HearthExistingAppTests HearthModelSourceTests HearthModelInterpreterTests
    HearthClientTests HearthEventsTests HearthDeliveryTests HearthDeliveryTestingTests HearthRemoteConfigTests"

# A program of Debian 12: with its C library, and the engine.
emulate_plain() {
    need_setup
    exec "$emulator" -cpu "$processor" -L "$sysroot" -E LD_LIBRARY_PATH="$sysroot/usr/local/lib" "$@"
}

# Runs a command where the kernel starts arm64 programs with the emulator: in namespaces of its own, so that this machine is
# not changed, and everything ends with the command. All users exist there, because dpkg needs them.
in_emulation() { # COMMAND ...
    local child tries
    # shellcheck disable=SC2016 # the inner shells expand these
    unshare --user bash -c '
        for tries in {1..200}; do
            [[ "$(id -u)" != 0 ]] || exec unshare --mount --pid --fork --kill-child --propagation private bash -c "$@"
            sleep 0.05
        done
        exit 96' - '
        mount -t proc proc /proc && mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc || exit 97
        printf "%s" ":qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:$1:OCF" \
            >/proc/sys/fs/binfmt_misc/register || exit 98
        export QEMU_CPU=$2
        shift 2
        exec "$@"' - "$emulator" "$processor" "$@" &
    child=$!
    for tries in {1..200}; do
        [[ "$(readlink "/proc/$child/ns/user")" == "$(readlink /proc/self/ns/user)" ]] || break
        sleep 0.05
    done
    echo '0 0 4294967295' >"/proc/$child/uid_map"
    echo '0 0 4294967295' >"/proc/$child/gid_map"
    wait "$child"
}

# The results of Google's interpreter under this emulator, once they are made, in place of those of another processor.
shared_data() { if [[ -e "$goldens/README.md" ]]; then echo "$goldens"; else echo "$data"; fi; }

run_tests() { # [TARGET ...]
    need_setup
    local target log failed=() targets=("$@")
    # shellcheck disable=SC2206 # a list
    ((${#targets[@]} > 0)) || targets=($device_targets)
    build_tests "${targets[@]}"
    mkdir -p .build/logs/arm64
    for target in "${targets[@]}"; do
        log=.build/logs/arm64/$target.log
        if in_emulation timeout "${HEARTH_ARM64_SECONDS:-900}" env QEMU_LD_PREFIX="$newer" SWIFT_BACKTRACE=enable=no \
            HEARTH_SHARED_DATA="$(shared_data)" \
            LD_LIBRARY_PATH="$newer/usr/lib/aarch64-linux-gnu:$sysroot/usr/lib/aarch64-linux-gnu:$sysroot/usr/local/lib:$swift_arm64/$swift_libraries/swift/linux" \
            "$checkout/.build/arm64-tests/debug/HearthPackageTests.xctest" --testing-library swift-testing \
            --filter "^$target\\." >"$log" 2>&1; then
            say "$target: $(grep -a 'Test run with' "$log" | tail -n 1 | sed 's/^[^T]*//')"
        else
            failed+=("$target")
            say "$target FAILED or took too long: $(grep -a -E 'Test run with|recorded an issue' "$log" | tail -n 1); everything: $log"
        fi
    done
    ((${#failed[@]} == 0)) || fail "failed: ${failed[*]}"
}

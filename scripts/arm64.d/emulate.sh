# Runs arm64 programs with the emulator. Part of scripts/arm64.

# A processor with the instructions for small integers, as in a Raspberry Pi 5.
readonly processor=cortex-a76
# The test targets of what runs on devices.
readonly device_targets="HearthCryptoTests HearthCompressionTests HearthTransportTests HearthWireTests HearthPlatformTests
    HearthModelFileTests HearthKernelsTests TensorFlowLiteTests HearthImagingTests HearthDrawingTests HearthModelSourceTests
    HearthVisionTests HearthModelInterpreterTests HearthAppTests HearthDeliveryTests"

# A program of Debian 12: with its C library, and the engine.
emulate_plain() {
    need_setup
    exec "$emulator" -cpu "$processor" -L "$sysroot" -E LD_LIBRARY_PATH="$sysroot/usr/local/lib" "$@"
}

# Programs that start further programs need the kernel to know the emulator: in a namespace of its own, so that this machine
# is not changed.
emulate_with_children() { # COMMAND ...
    # shellcheck disable=SC2016 # the inner shell expands these
    unshare --user --map-root-user --mount --pid --fork --kill-child --propagation private bash -c '
        mount -t proc proc /proc && mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc || exit 97
        printf "%s" ":qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:$1:OCF" \
            >/proc/sys/fs/binfmt_misc/register || exit 98
        shift
        exec "$@"' - "$emulator" env QEMU_LD_PREFIX="$newer" QEMU_CPU="$processor" SWIFT_BACKTRACE=enable=no \
        LD_LIBRARY_PATH="$newer/usr/lib/aarch64-linux-gnu:$sysroot/usr/lib/aarch64-linux-gnu:$sysroot/usr/local/lib:$swift_arm64/$swift_libraries/swift/linux" \
        "$@"
}

run_tests() { # [TARGET ...]
    need_setup
    local target log failed=() targets=("$@")
    # shellcheck disable=SC2206 # a list
    ((${#targets[@]} > 0)) || targets=($device_targets)
    say "building the tests for arm64 (some minutes)"
    mkdir -p .build/logs/arm64
    HEARTH_TEST_TARGETS="${targets[*]}" swift_build --scratch-path .build/arm64-tests --product HearthPackageTests \
        >.build/logs/arm64-tests.log 2>&1 ||
        fail "the build failed: $(grep -m 1 'error:' .build/logs/arm64-tests.log); everything: .build/logs/arm64-tests.log"
    for target in "${targets[@]}"; do
        log=.build/logs/arm64/$target.log
        if timeout "${HEARTH_ARM64_SECONDS:-900}" bash -c "$(declare -f emulate_with_children); emulator='$emulator' newer='$newer' \
            sysroot='$sysroot' swift_arm64='$swift_arm64' swift_libraries='$swift_libraries' processor='$processor'; \
            emulate_with_children '$checkout/.build/arm64-tests/debug/HearthPackageTests.xctest' --testing-library swift-testing \
            --filter '^$target\\.'" >"$log" 2>&1; then
            say "$target: $(grep -a 'Test run with' "$log" | tail -n 1)"
        else
            failed+=("$target")
            say "$target FAILED or took too long: $(grep -a -E 'Test run with|recorded an issue' "$log" | tail -n 1); everything: $log"
        fi
    done
    ((${#failed[@]} == 0)) || fail "failed: ${failed[*]}"
}

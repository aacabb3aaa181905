# What is tried in a machine that is emulated whole, with a kernel of its own. Part of scripts/arm64.

# The sandbox of validations asks the kernel for what an emulated program alone does not get. Of the tests of whole programs,
# those with hostile files run: they try to escape from the sandbox.
readonly machine_targets="HearthProbeTests HearthValidationTests HearthAppTests EndToEndServerTests"
readonly machine_tests='^(HearthProbeTests|HearthValidationTests|HearthAppTests)\.|HostileFileTests'

test_in_machine() { # [TARGET ...]
    need_setup
    local folder=$cache/machine programs=.build/arm64/programs tests=.build/arm64-machine/debug/HearthPackageTests.xctest
    local targets="$machine_targets" filter="$machine_tests" include
    if (($# > 0)); then targets="$*" filter="^($(IFS='|'; echo "$*"))\\."; fi
    [[ -x "$programs/hearth-full" ]] || fail "run first: scripts/arm64 build"
    say "building the tests for an arm64 machine (some minutes)"
    # The tests load newer libraries than the machine has, and start the program that is installed, which does not.
    HEARTH_TEST_TARGETS="$targets" swift_build --scratch-path .build/arm64-machine \
        --product HearthPackageTests -Xlinker --dynamic-linker=/opt/lib/ld-linux-aarch64.so.1 -Xlinker --disable-new-dtags \
        -Xlinker -rpath -Xlinker /opt/lib >.build/logs/arm64-machine.log 2>&1 ||
        fail "the build failed: $(grep -m 1 'error:' .build/logs/arm64-machine.log); everything: .build/logs/arm64-machine.log"

    rm -rf "$folder"
    mkdir -p "$folder/lib"
    cp "$programs"/* "$tests" "$folder/"
    cp -L "$newer"/usr/lib/aarch64-linux-gnu/*.so* "$swift_arm64/$swift_libraries"/swift/linux/*.so "$programs/libLiteRt.so" "$folder/lib/"
    tar -cf "$folder/source.tar" Tests/Fixtures Models
    cat >"$folder/prepare" <<TEXT
#!/bin/sh
# The tests look for their fixtures where they were compiled.
mkdir -p "\$1$checkout"
tar -C "\$1$checkout" -xf "\$1/opt/source.tar"
rm "\$1/opt/source.tar"
TEXT
    cat >"$folder/test" <<TEXT
#!/bin/sh
export HOME=/root SWIFT_BACKTRACE=enable=no
uname -a
cd /opt
exec /opt/HearthPackageTests.xctest --testing-library swift-testing --filter '$filter'
TEXT
    chmod 0755 "$folder/prepare" "$folder/test"
    include=$(runtime_packages | paste -sd,),curl
    in_emulation "$checkout/scripts/packaging/boot" --architecture arm64 --accelerator tcg --include "$include" --seconds 3600 \
        "$folder"
}

# What the programs load when they start, as scripts/packaging/deb.sh names it.
runtime_packages() { sed -n '/^declare -A library_packages/,/^)/p' scripts/packaging/deb.sh | grep -o '"[a-z][a-z0-9.+-]* (' | tr -d '"( ' | sort -u; }

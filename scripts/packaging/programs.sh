# The programs that go into packages. Part of scripts/package.

readonly build_folder=.build/package
readonly engine=/usr/local/lib/libLiteRt.so

# Leaves the stripped programs and the engine in $scratch/programs.
obtain_programs() {
    mkdir "$scratch/programs"
    if [[ -z "$programs" ]]; then
        build_programs
        programs=$build_folder/release
        cp "$engine" "$scratch/programs/" || fail "the engine is missing; run: scripts/bootstrap"
    else
        cp "$programs/libLiteRt.so" "$scratch/programs/" || fail "there is no libLiteRt.so in $programs"
    fi
    cp "$programs/hearth" "$scratch/programs/" || fail "there is no program hearth in $programs"
    if [[ -f "$programs/hearth-full" ]]; then
        cp "$programs/hearth-full" "$scratch/programs/"
    elif [[ "$architecture" == amd64 ]]; then
        fail "there is no program hearth-full in $programs"
    fi
    chmod 0755 "$scratch"/programs/hearth*
    chmod 0644 "$scratch/programs/libLiteRt.so"
    strip_programs
    check_programs
}

# The engine stands beside the programs, wherever they are: they look for it in their own folder. Sources are named without the
# folder of this checkout, and the linker uses one thread, because with several the order of symbols differs from run to run.
build_programs() {
    local program log=.build/logs/package.log
    mkdir -p "$(dirname "$log")"
    : >"$log"
    for program in hearth hearth-full; do
        say "building $program (the first time this takes some minutes)"
        HEARTH_COMMIT=$commit swift build -c release --static-swift-stdlib --scratch-path "$build_folder" \
            --disable-index-store -Xswiftc -gnone -Xswiftc -file-prefix-map -Xswiftc "$PWD=." \
            -Xlinker -rpath -Xlinker "\$ORIGIN" -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now \
            -Xlinker --no-threads -Xlinker --build-id=none --product "$program" >>"$log" 2>&1 ||
            fail "the build failed: $(grep -m 1 'error:' "$log" || tail -n 1 "$log"); everything: $log"
    done
}

# The build id and the compiler's hashes of modules depend on the folder of the checkout, and nothing reads them. The hashes are
# overwritten, because strip loses the RELRO segment of a program when it removes a section from its middle. The engine stays
# as Google publishes it, so that its SHA-256 can be compared.
strip_programs() {
    local file hashes=$scratch/hashes
    for file in "$scratch"/programs/hearth*; do
        # Another processor's programs come stripped from scripts/arm64: this machine's strip does not know them.
        if is_for_this_machine; then
            objcopy --dump-section ".swift_modhash=$hashes" "$file"
            truncate --size 0 "$hashes.empty"
            truncate --size "$(stat -c %s "$hashes")" "$hashes.empty"
            objcopy --update-section ".swift_modhash=$hashes.empty" "$file"
            strip_program "$file"
        fi
        has_relro "$file" || fail "$(basename "$file") has no RELRO segment: link it with -z relro"
    done
}

# Programs that were not linked as above lose the segment even so. They stay whole: a larger program is better than one whose
# tables can be overwritten.
strip_program() { # FILE
    strip --strip-unneeded --remove-section=.comment --remove-section=.note --remove-section=.note.gnu.build-id \
        -o "$1.stripped" "$1"
    if has_relro "$1.stripped"; then
        mv "$1.stripped" "$1"
    else
        rm "$1.stripped"
        say "$(basename "$1") keeps its symbols, because strip would remove its RELRO segment (this script links with -z relro -z now)"
    fi
}

has_relro() { readelf -lW "$1" | grep -c GNU_RELRO >/dev/null; } # FILE

# What was stripped must still run: here, or with the emulator that scripts/arm64 provides.
check_programs() {
    local text
    text=$("$scratch/programs/hearth" --version) || fail "the program does not start after it was stripped"
    say "hearth $text"
    [[ "$text" == "$version "* ]] || fail "the program says that it is $text, not version $version"
    [[ "$("$scratch/programs/hearth-full" --version)" == "$text" ]] || fail "hearth and hearth-full differ in their version"
}

is_for_this_machine() { [[ "$architecture" == "$(dpkg --print-architecture)" ]]; }

has_server() { [[ -f "$scratch/programs/hearth-full" ]]; }

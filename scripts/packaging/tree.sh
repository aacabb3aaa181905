# The tree of files that all packages share. Part of scripts/package.

# Makes $1/usr with the programs, the manual, the completions and the models to try.
make_tree() { # DIR
    local tree=$1 name
    install -d "$tree"/usr/{bin,lib/hearth,share/hearth/models,share/man,share/doc/hearth}
    cp "$scratch"/programs/* "$tree/usr/lib/hearth/"
    ln -s ../lib/hearth/hearth "$tree/usr/bin/hearth"

    for name in digits-labeler digits-labeler-2 digits-detector; do
        git archive HEAD "Models/$name" | tar -x -C "$tree/usr/share/hearth/models" --strip-components 1
    done
    make_manual "$tree"
    grep -v '^#' scripts/packaging/documents | xargs git archive HEAD | tar -x -C "$tree/usr/share/doc/hearth"
}

# The help pages say what the manual and the completions have.
make_manual() { # DIR
    local tree=$1 program=$scratch/programs/hearth
    python3 scripts/packaging/manual.py "$program" "$tree/usr/share/man" || fail "cannot make the manual"
    python3 scripts/packaging/completions.py "$program" "$scratch/completions" || fail "cannot make the completions"
    install -D -m 0644 "$scratch/completions/bash-completion/completions/hearth" \
        "$tree/usr/share/bash-completion/completions/hearth"
    install -D -m 0644 "$scratch/completions/zsh/vendor-completions/_hearth" \
        "$tree/usr/share/zsh/vendor-completions/_hearth"
}

# Sets all times to that of the commit, and everything to what a user may read.
settle() { # DIR
    find "$1" -type d -exec chmod 0755 {} +
    find "$1" -newermt "@$SOURCE_DATE_EPOCH" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
}

# hearth-VERSION-ARCH.tar.gz: runs from any folder.
make_tarball() {
    local name=hearth-$version-$architecture tree
    say "making $name.tar.gz"
    tree=$scratch/tarball/$name
    install -d "$tree/bin" "$tree/share"
    cp -R "$scratch/tree/usr/lib" "$tree/lib"
    ln -s ../lib/hearth/hearth "$tree/bin/hearth"
    cp -R "$scratch"/tree/usr/share/{hearth,man,bash-completion,zsh} "$tree/share/"
    cp -R "$scratch"/tree/usr/share/doc/hearth/. "$tree/"
    if has_server; then
        install -d "$tree/share/systemd"
        install -m 0644 scripts/packaging/debian/hearth{.conf,.service,-backup.service,-backup.timer} "$tree/share/systemd/"
    fi
    runtime_packages >"$tree/DEPENDENCIES"
    settle "$tree"
    tar -C "$scratch/tarball" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf - "$name" |
        gzip -9n >"$scratch/made/$name.tar.gz"
}

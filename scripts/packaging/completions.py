#!/usr/bin/env python3
"""Makes the completions of `hearth` for bash and zsh from its own help pages.

usage: scripts/packaging/completions.py PROGRAM FOLDER
for example: scripts/packaging/completions.py .build/release/hearth .build/completions

Writes FOLDER/bash-completion/completions/hearth and FOLDER/zsh/vendor-completions/_hearth. Both complete commands,
options, the values that a help page names, and files and folders where the value is one.

exit status: 0 written; 1 a help page cannot be read; 2 wrong use
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import help_pages  # noqa: E402

BASH = r"""# Completions of hearth for bash, made from its help pages.
#
# Each command has the commands below it, its options, and what its arguments are: words, "files", "folders" or nothing.

_hearth_words() { # COMMAND: sets commands, options and arguments
    commands="" options="" arguments=""
    case $1 in
@WORDS@
    *) return 1 ;;
    esac
}

_hearth_values() { # COMMAND OPTION: sets values to the words, "files" or "folders"; fails for a flag
    values=""
    case "$1 $2" in
@VALUES@
    *) return 1 ;;
    esac
}

_hearth() {
    local command=hearth word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local index commands options arguments values
    COMPREPLY=()
    for ((index = 1; index < COMP_CWORD; index++)); do
        [[ $command == hearth && ${COMP_WORDS[index]} == help ]] && continue
        _hearth_words "$command"
        [[ -n ${COMP_WORDS[index]} && " $commands " == *" ${COMP_WORDS[index]} "* ]] &&
            command+=" ${COMP_WORDS[index]}"
    done
    # bash splits --option=value into three words.
    if [[ $word == "=" ]]; then
        word=""
    elif [[ $previous == "=" ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    _hearth_words "$command"
    if [[ $previous == -* ]] && _hearth_values "$command" "$previous"; then
        _hearth_reply "$values"
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    elif [[ -n $commands ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
    else
        _hearth_reply "$arguments"
    fi
}

_hearth_reply() { # WORDS, "files" or "folders"
    case $1 in
    files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    folders) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word") ;;
    esac
}

complete -F _hearth hearth
"""

ZSH_GROUP = """%(name)s() {
    local context state state_descr line
    typeset -A opt_args
    local -a commands=(
%(commands)s
    )
    _arguments -C \\
%(options)s
        '1: :->command' \\
        '*:: :->rest'
    case $state in
    command) _describe -t commands command commands ;;
    rest)
        case $line[1] in
%(cases)s
        esac
        ;;
    esac
}
"""

ZSH_COMMAND = """%(name)s() {
    _arguments -S \\
%(arguments)s
}
"""


def values_of(entry):
    """What bash's completion takes for a value."""
    if entry.choices:
        return " ".join(entry.choices)
    return "folders" if entry.takes_folder else "files" if entry.takes_file else ""


def bash(root):
    words, values = [], []
    for page in root.and_below():
        commands = " ".join(child.path[-1] for child in page.children)
        options = " ".join(name for option in page.all_options for name in option.names)
        arguments = next((found for found in map(values_of, page.arguments) if found), "")
        words.append(
            f'    "{page.name}")\n        commands="{commands}"\n        options="{options}"\n'
            f'        arguments="{arguments}"\n        ;;')
        for option in page.all_options:
            if option.value:
                pattern = " | ".join(f'"{page.name} {name}"' for name in option.names)
                values.append(f'    {pattern}) values="{values_of(option)}" ;;')
    return BASH.replace("@WORDS@", "\n".join(words)).replace("@VALUES@", "\n".join(values))


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def explained(text):
    """The first sentence, as the explanation in brackets: there brackets and colons mean something else."""
    first = re.split(r"(?<=[a-z)0-9])\. (?=[A-Z])", text)[0].rstrip(".")
    return re.sub(r"([\[\]:\\])", r"\\\1", first)


def zsh_value(entry):
    name = re.sub(r"([:\\])", r"\\\1", entry.value)
    if entry.choices:
        return f"{name}:({' '.join(entry.choices)})"
    return f"{name}:_files -/" if entry.takes_folder else f"{name}:_files" if entry.takes_file else f"{name}: "


def zsh_options(page):
    for option in page.all_options:
        for name in option.names:
            others = "" if option.may_repeat or len(option.names) == 1 else "(" + " ".join(option.names) + ")"
            repeat = "*" if option.may_repeat else ""
            # A long name and its value may be two words, or one with an equals sign.
            equals = "=" if option.value and name.startswith("--") else ""
            value = f":{zsh_value(option)}" if option.value else ""
            yield quoted(f"{others}{repeat}{name}{equals}[{explained(option.text)}]{value}")


def zsh_arguments(page):
    repeated = re.search(r"<(\w+)> \.\.\.", page.usage[0].split("]")[-1])
    for entry in page.arguments:
        position = "*" if repeated and repeated.group(1) == entry.value else ""
        yield quoted(f"{position}:{zsh_value(entry)}")


def zsh(root):
    functions = []
    for page in root.and_below():
        name = "_" + "_".join(page.path)
        options = list(zsh_options(page))
        if not page.children:
            lines = " \\\n".join("        " + spec for spec in [*options, *zsh_arguments(page)])
            functions.append(ZSH_COMMAND % {"name": name, "arguments": lines})
            continue
        described = [quoted(f"{child.path[-1]}:{child.abstract.rstrip('.')}") for child in page.children]
        cases = [f"        {child.path[-1]}) {name}_{child.path[-1]} ;;" for child in page.children]
        functions.append(ZSH_GROUP % {
            "name": name,
            "commands": "\n".join("        " + line for line in described),
            "options": " \\\n".join("        " + spec for spec in options) + " \\",
            "cases": "\n".join(cases),
        })
    return "#compdef hearth\n# Completions of hearth for zsh, made from its help pages.\n\n" + "\n".join(
        functions) + '\n_hearth "$@"\n'


def main():
    if sys.argv[1:] in (["--help"], ["-h"]):
        print(__doc__.strip())
        return 0
    if len(sys.argv) != 3:
        print("completions.py: error: needs the program and a folder (see --help)", file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[2])
    try:
        root = help_pages.read(sys.argv[1])
    except (help_pages.HelpError, OSError) as error:
        print(f"completions.py: error: {error}", file=sys.stderr)
        return 1
    for name, text in {
        "bash-completion/completions/hearth": bash(root), "zsh/vendor-completions/_hearth": zsh(root),
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

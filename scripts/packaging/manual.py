#!/usr/bin/env python3
"""Makes the manual pages of `hearth` from its own help pages.

usage: scripts/packaging/manual.py PROGRAM FOLDER
for example: scripts/packaging/manual.py .build/release/hearth .build/manual

Writes FOLDER/man1/hearth.1, one page for each command, such as man1/hearth-models.1, and man5/hearth.conf.5 with the
settings of the server. The date on the pages is SOURCE_DATE_EPOCH, or today.

exit status: 0 written; 1 a help page cannot be read; 2 wrong use
"""

import datetime
import os
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import help_pages  # noqa: E402

# On the page of the whole program: what no help page lists.
ENVIRONMENT = [
    ("HEARTH_URL", "Address of the server."),
    ("HEARTH_CREDENTIALS", "File with a service-account key of the server."),
    ("HEARTH_TOKEN", "Admin token, which is used instead of a key."),
    ("HEARTH_PROJECT", "Project to work in."),
    ("HEARTH_APP_CONFIG", "GoogleService-Info.plist that the server wrote."),
    ("HEARTH_DATA", "Data folder of the server."),
    ("HEARTH_CA_FILE", "PEM file of a CA to trust, in addition to those of the system."),
    ("HEARTH_PROXY", "Proxy for connections to the server."),
    ("HEARTH_FONT", "Font file for the names in images."),
    ("NO_COLOR", "Switches the colours off."),
]
EXIT_STATUS = [("0", "Success."), ("1", "Failure."), ("2", "Wrong usage.")]
FILES = [
    ("/etc/hearth/hearth.conf", "Settings of the service; see hearth.conf(5)."),
    ("/var/lib/hearth", "Data folder of the service."),
    ("/var/backups/hearth", "Backups that hearth-backup.timer makes."),
    ("/usr/share/hearth/models", "Example models."),
]


def escaped(text):
    """Text as roff prints it: a hyphen in a word is a hyphen, a hyphen that begins a word is one to copy."""
    text = text.replace("\\", "\\e")
    text = re.sub(r"(?<![\w-])-+(?=\w)|--+", lambda dashes: dashes.group().replace("-", "\\-"), text)
    text = text.replace("'", "\\(aq").replace("~", "\\(ti").replace("^", "\\(ha").replace("`", "\\(ga")
    return "\\&" + text if text.startswith(".") else text


def code(text):
    return escaped(text).replace("\\-", "-").replace("-", "\\-")


def bold(text):
    return f"\\fB{code(text)}\\fR"


def label(text):
    """The names bold, the names of values in italics."""
    return "".join(
        f"\\fI{code(piece[1:-1])}\\fR" if piece.startswith("<") else re.sub(
            r"[\w.-]*[\w-][\w.-]*", lambda name: f"\\fB{code(name.group())}\\fR", piece)
        for piece in re.split(r"(<[^>]*>)", text) if piece)


def item(head, paragraphs):
    lines = [".TP", head]
    for number, paragraph in enumerate(paragraphs):
        lines += ([".br"] if number else []) + [escaped(paragraph)]
    return lines if paragraphs else [*lines, "\\&"]


def paragraphs_of(texts):
    lines = []
    for number, text in enumerate(texts):
        lines += ([".PP"] if number else []) + [escaped(text)]
    return lines


def usage_of(page):
    lines = []
    for number, usage in enumerate(page.usage):
        lines += ([".br"] if number else []) + [label(usage)]
    return lines


def entries_of(entries):
    return [line for entry in entries for line in item(label(entry.label), entry.paragraphs)]


def examples_of(examples):
    return [".EX", *map(code, examples), ".EE"] if examples else []


def titled(level, title, lines):
    return [f".{level} {title}", *lines] if lines else []


def document(name, section, purpose, lines, version):
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc) if seconds else datetime.datetime.now()
    head = [
        '.\\" Made from the help pages of hearth.',
        f'.TH "{name.upper()}" {section} "{now:%Y-%m-%d}" "Hearth {version}" "Hearth"',
        ".nh", ".ad l",
        ".SH NAME",
        f"{code(name)} \\- {escaped(purpose[0].lower() + purpose[1:]).rstrip('.')}",
    ]
    return "\n".join([*head, *lines]) + "\n"


def sees(pages):
    """References, such as hearth-models(1)."""
    return [",\n".join(f".BR {code(name)} ({section})" for name, section in pages).replace(",\n", " ,\n")]


def options_of(page, level):
    lines = []
    for title, entries in page.options:
        lines += titled(level, title if level == "SH" else title.capitalize(), entries_of(entries))
    return lines


def command_page(page, version):
    """A command and all commands below it."""
    lines = titled("SH", "SYNOPSIS", usage_of(page))
    lines += titled("SH", "DESCRIPTION", paragraphs_of([page.abstract, *page.description]))
    lines += titled("SH", "ARGUMENTS", entries_of(page.arguments))
    lines += options_of(page, "SH")
    below = list(page.and_below())[1:]
    if below:
        lines.append(".SH COMMANDS")
    for command in below:
        if command.children:
            continue
        lines += [f'.SS "{code(command.name)}"', *paragraphs_of([command.abstract, *command.description])]
        lines += [".PP", *usage_of(command)]
        entries = command.arguments + [option for option in command.all_options if "--help" not in option.names]
        lines += entries_of(entries)
        if command.examples:
            lines += [".PP", "For example:", *examples_of(command.examples)]
    lines += titled("SH", "EXAMPLES", examples_of(page.examples))
    related = [("hearth", 1), *([("hearth.conf", 5)] if page.path[1:] == ["serve"] else [])]
    lines += titled("SH", "SEE ALSO", sees(related))
    return document("-".join(page.path), 1, page.abstract, lines, version)


def program_page(page, version):
    lines = titled("SH", "SYNOPSIS", usage_of(page))
    lines += titled("SH", "DESCRIPTION", paragraphs_of([page.abstract, *page.description]))
    lines += options_of(page, "SH")
    commands = [item(f"\\fBhearth\\-{code(child.path[1])}\\fR(1)", [child.abstract]) for child in page.children]
    lines += titled("SH", "COMMANDS", [line for command in commands for line in command])
    for title, table in (("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES), ("EXIT STATUS", EXIT_STATUS)):
        lines += titled("SH", title, [line for name, text in table for line in item(bold(name), [text])])
    lines += titled("SH", "EXAMPLES", examples_of(page.examples))
    lines += titled("SH", "SEE ALSO", sees([("hearth.conf", 5), ("hearth-serve", 1)]))
    return document("hearth", 1, "host TensorFlow Lite models, ship them to apps and devices, and run them", lines, version)


def settings_page(serve, version):
    """The options of `hearth serve` with a title of their own are the settings."""
    lines = [".SH DESCRIPTION"] + paragraphs_of([
        "The service hearth reads this file from /etc/hearth/hearth.conf. Any file in this form can be given to "
        "hearth serve --config.",
        "Each line has one setting: its name, an equals sign and its value. Empty lines and lines that begin with # are "
        "comments. Do not quote values. An unknown name or an impossible value stops the start.",
        "An environment variable overrides a line of the file: HEARTH_IDLE_SECONDS overrides idle-seconds. An option of "
        "hearth serve overrides both.",
        "The server reads the file when it starts, and only then. hearth serve --print-config prints all settings and "
        "the source of each.",
    ])
    for title, entries in serve.options:
        if title == "OPTIONS":
            continue
        lines.append(f".SH {title}")
        for entry in entries:
            value = f"<{entry.value}>" if entry.value else "<true|false>"
            lines += item(label(f"{entry.names[0].removeprefix('--')} = {value}"), entry.paragraphs)
    lines += [".SH EXAMPLES"] + examples_of([
        "data = /var/lib/hearth", "address = 0.0.0.0", "port = 8443", "public-url = https://models.example:8443",
        "tls-certificate = /etc/hearth/certificate.pem", "tls-key = /etc/hearth/key.pem",
    ])
    lines += titled("SH", "SEE ALSO", sees([("hearth", 1), ("hearth-serve", 1)]))
    return document("hearth.conf", 5, "settings of the server of Hearth", lines, version)


def main():
    if sys.argv[1:] in (["--help"], ["-h"]):
        print(__doc__.strip())
        return 0
    if len(sys.argv) != 3:
        print("manual.py: error: needs the program and a folder (see --help)", file=sys.stderr)
        return 2
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    try:
        version = help_pages.output_of(program, "--version").split()[0]
        page = help_pages.read(program)
    except (help_pages.HelpError, OSError) as error:
        print(f"manual.py: error: {error}", file=sys.stderr)
        return 1
    serve = next(child for child in page.children if child.path[1:] == ["serve"])
    pages = {"man1/hearth.1": program_page(page, version), "man5/hearth.conf.5": settings_page(serve, version)}
    for child in page.children:
        pages[f"man1/{'-'.join(child.path)}.1"] = command_page(child, version)
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

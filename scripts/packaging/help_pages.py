"""Reads the help pages of `hearth`, from which the manual and the completions are made."""

import dataclasses
import os
import re
import subprocess

# So wide that the program wraps nothing: one line is one paragraph.
COLUMNS = "100000"
TEXT_COLUMN = 26

TITLE = re.compile(r"^([A-Z][A-Z ]*):$")
OPTION_NAME = re.compile(r"(?<![\w-])--?[A-Za-z0-9][\w-]*")


class HelpError(Exception):
    """A help page has another form than expected."""


@dataclasses.dataclass
class Entry:
    """A line of a section: what to write, and what it means."""

    label: str
    paragraphs: list[str]

    @property
    def text(self):
        return " ".join(self.paragraphs)

    @property
    def names(self):
        """The names of an option: ["--insecure-http", "--no-insecure-http"]."""
        return OPTION_NAME.findall(self.label.split("<")[0])

    @property
    def value(self):
        """The name of the value, without brackets; empty for a flag."""
        found = re.search(r"<(.*)>", self.label)
        return found.group(1) if found else ""

    @property
    def choices(self):
        """The values to choose from, if the help names all of them."""
        if re.fullmatch(r"[\w.-]+(\|[\w.-]+)+", self.value):
            return self.value.split("|")
        found = re.search(r"\(values: ([^;)]*)", self.text)
        return found.group(1).split(", ") if found else []

    @property
    def takes_folder(self):
        return self.value == "folder"

    @property
    def takes_file(self):
        """A file or a folder."""
        return self.value in ("file", "path", "paths", "image", "images", "bundle", "target", "backup") or (
            self.value == "model" and not self.text.startswith("Display name"))

    @property
    def may_repeat(self):
        return "several times" in self.text


@dataclasses.dataclass
class Page:
    """The help page of a command."""

    path: list[str]
    abstract: str = ""
    description: list[str] = dataclasses.field(default_factory=list)
    usage: list[str] = dataclasses.field(default_factory=list)
    arguments: list[Entry] = dataclasses.field(default_factory=list)
    # Title and entries, in the order of the page.
    options: list[tuple[str, list[Entry]]] = dataclasses.field(default_factory=list)
    examples: list[str] = dataclasses.field(default_factory=list)
    children: list["Page"] = dataclasses.field(default_factory=list)

    @property
    def name(self):
        return " ".join(self.path)

    @property
    def all_options(self):
        return [entry for _, entries in self.options for entry in entries]

    def and_below(self):
        yield self
        for child in self.children:
            yield from child.and_below()


def output_of(program, *arguments):
    environment = {"COLUMNS": COLUMNS, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "PATH": os.environ["PATH"]}
    # Another processor's program runs with the emulator.
    environment |= {name: value for name, value in os.environ.items() if name.startswith("QEMU_")}
    run = subprocess.run(
        [program, *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if run.returncode != 0:
        raise HelpError(f"{program} {' '.join(arguments)} failed: {run.stderr.strip()}")
    return run.stdout


def read(program, path=("hearth",)):
    """The help pages of a command and of all commands below it."""
    page, commands = parse(list(path), output_of(program, *path[1:], "--help"))
    page.children = [read(program, (*path, command)) for command in commands]
    return page


def parse(path, text):
    """A page, and the names of the commands below it."""
    page = Page(path)
    commands, entries, title = [], [], "OVERVIEW"
    for line in text.splitlines():
        heading = TITLE.match(line)
        if heading:
            title, entries = heading.group(1), []
            if title == "ARGUMENTS":
                page.arguments = entries
            elif title not in ("EXAMPLES", "SUBCOMMANDS"):
                page.options.append((title, entries))
        elif line.startswith("OVERVIEW: "):
            page.abstract = line.removeprefix("OVERVIEW: ")
        elif line.startswith("USAGE: "):
            title = "USAGE"
            page.usage.append(line.removeprefix("USAGE: "))
        elif not line.strip():
            continue
        elif title == "OVERVIEW":
            page.description.append(line)
        elif title == "USAGE":
            page.usage.append(line.strip())
        elif title == "EXAMPLES":
            page.examples.append(line.strip())
        elif title == "SUBCOMMANDS":
            if not line.startswith("  See '"):
                commands.append(line.split()[0])
        else:
            add(line, entries, page)
    if not page.abstract or not page.usage:
        raise HelpError(f"the help page of '{page.name}' has no OVERVIEW or no USAGE")
    return page, commands


def add(line, entries, page):
    """A line is a new entry, or more text of the last one."""
    indent = len(line) - len(line.lstrip())
    if indent == TEXT_COLUMN and entries:
        entries[-1].paragraphs.append(line.strip())
    elif indent == 2:
        label, text = line[2:TEXT_COLUMN].rstrip(), line[TEXT_COLUMN:]
        # A label that reaches into the text's column has a line of its own.
        if line[TEXT_COLUMN - 1 : TEXT_COLUMN] not in ("", " ") or text.startswith("<"):
            label, text = line[2:], ""
        entries.append(Entry(label, [text] if text else []))
    else:
        raise HelpError(f"the help page of '{page.name}' has a line that is neither an entry nor its text: {line!r}")

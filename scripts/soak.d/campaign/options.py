"""The arguments that every campaign takes, and how it ends."""

import argparse
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]


def parser(text, short, *, runs_hearth=True):
    """`text` says what the campaign does and checks; `short` names the values of its short dose."""
    values = ", ".join(f"--{name.replace('_', '-')} {value}" for name, value in short.items())
    result = argparse.ArgumentParser(
        description=text,
        epilog=f"--short is {f'the same as: {values}' if short else 'nothing here: this campaign runs by hand only'}. "
        "Exit status: 0 all held, 1 something that must hold did not, 2 wrong use.",
    )
    result.add_argument("--short", action="store_true", help="a dose of a few seconds, the same on every run")
    result.add_argument("--seed", type=int, default=1, help="the same seed makes the same choices (default: 1)")
    if runs_hearth:
        result.add_argument("--hearth", metavar="FILE", help="the program (default: the newest build)")
    return result


def parse(arguments, short):
    """The parsed arguments, with the short dose and, where the campaign runs it, the program filled in."""
    options = arguments.parse_args()
    if options.short:
        vars(options).update(short)
    if "hearth" not in options:
        return options
    options.hearth = options.hearth or newest_build()
    if options.hearth is None or not os.access(options.hearth, os.X_OK):
        arguments.error(f"there is no program {options.hearth or 'hearth-full'}; build it with: scripts/build --product hearth-full")
    return options


def newest_build():
    # `hearth` would only hand over to it.
    kinds = ("release", "debug", "checks/debug")
    builds = [path for kind in kinds if (path := ROOT / ".build" / kind / "hearth-full").exists()]
    return str(max(builds, key=lambda path: path.stat().st_mtime)) if builds else None


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def finish(name, summary, violations):
    """Prints one line of summary and ends the program; each violation has a line of its own before it."""
    for violation in violations[:20]:
        print(f"{name}: VIOLATED: {violation}", file=sys.stderr)
    verdict = "all held" if not violations else f"{len(violations)} violated"
    print(f"{name}: {summary}; {verdict}")
    sys.exit(1 if violations else 0)

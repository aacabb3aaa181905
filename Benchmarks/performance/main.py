#!/usr/bin/env python3
"""Keeps docs/performance.md and docs/performance.json, for scripts/bench.

usage: main.py record FILE SECONDS     takes over what a benchmark printed as JSON into FILE, having run so long
       main.py compare BEFORE [NOW]    prints the rows of NOW (docs/performance.json) that moved since BEFORE
       main.py self-test               tests the parts of the benchmarks that measure nothing

exit status: 0 done, for compare: no row is worse; 1 failed, or a row is worse; 2 wrong use
"""

import datetime
import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS / "Server")]

from performance import comparing, document, page, self_test  # noqa: E402

ROOT = BENCHMARKS.parent
PAGE, DATA = ROOT / "docs/performance.md", ROOT / "docs/performance.json"


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def commit():
    """Where the measured programs come from; the page itself does not count as a change."""
    try:
        changed = git("status", "--porcelain", "--", "Benchmarks", "Sources", "Package.swift", "Models")
        return git("rev-parse", "--short=12", "HEAD") + (" with changes" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def read(path):
    return document.parse(path.read_text(), path.name)


def record(file, seconds):
    results = json.loads(pathlib.Path(file).read_text())
    kept = read(DATA) if DATA.exists() else document.empty()
    date = f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}"
    kept = document.with_part(
        kept, results["benchmark"], document.part(results, date, commit(), float(seconds)))
    DATA.write_text(document.text(kept))
    PAGE.write_text(page.page(kept))


def compare(before, now=DATA):
    lines, is_worse = comparing.compare(read(pathlib.Path(before)), read(pathlib.Path(now)))
    print("\n".join(lines))
    return 1 if is_worse else 0


def main(arguments):
    match arguments:
        case ["record", file, seconds]: return record(file, seconds)
        case ["compare", *files] if len(files) in (1, 2): return compare(*files)
        case ["self-test"]: return self_test.run()
    sys.stderr.write(__doc__)
    return 2


try:
    sys.exit(main(sys.argv[1:]))
except document.DocumentError as error:
    sys.exit(f"bench: error: {error}")
except OSError as error:
    sys.exit(f"bench: error: {error.filename}: {error.strerror}")

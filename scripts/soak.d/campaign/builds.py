"""The programs that campaigns run, built where scripts/test builds them, so that nothing is built twice."""

import subprocess

from campaign import options


def checks(campaign, product, sanitizer=None):
    """Builds as the tests do, without optimization, which takes a moment after them. The program's path."""
    chosen = ["--sanitize", sanitizer] if sanitizer else []
    _run(campaign, ["scripts/build", *chosen, "--product", product])
    return options.ROOT / ".build" / (sanitizer or "checks") / "debug" / product


def release(campaign, product, sanitizer=None):
    """Builds with optimization, for long runs. The program's path."""
    scratch = options.ROOT / ".build" / (f"release-{sanitizer}" if sanitizer else "")
    chosen = [f"--sanitize={sanitizer}"] if sanitizer else []
    _run(campaign, ["swift", "build", "-c", "release", "--scratch-path", scratch, *chosen, "--product", product])
    return scratch / "release" / product


def _run(campaign, command):
    result = subprocess.run(
        command, cwd=options.ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        options.finish(campaign, "could not run", [f"{command[-1]} does not build:\n{result.stdout.strip()}"])

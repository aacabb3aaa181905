"""Load: wrk from Debian, with one script for every contestant, so that what the script costs is the same for all."""

import json
import pathlib
import shutil
import subprocess

from harness.worker import WorkerError

SCRIPT = pathlib.Path(__file__).resolve().parent / "requests.lua"


def is_installed():
    return shutil.which("wrk") is not None


def write_requests(path, requests):
    """`requests` are whole texts; wrk sends them as they are."""
    path.write_bytes(b"\0".join(request.encode() for request in requests))


def get(target, host, fields=None):
    """The text of a GET request."""
    lines = [f"GET {target} HTTP/1.1", f"Host: {host}", *(f"{name}: {value}" for name, value in (fields or {}).items())]
    return "\r\n".join([*lines, "", ""])


def run(base, requests, connections, seconds, threads=2):
    """Answers and bytes per second, and latencies in microseconds, of what `requests` (a file) asks for."""
    command = ["wrk", "-t", threads, "-c", connections, "-d", f"{seconds}s", "--timeout", "20s", "-s", SCRIPT, base, "--", requests]
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    lines = [line for line in result.stdout.splitlines() if line.startswith("{")]
    if result.returncode != 0 or not lines:
        raise WorkerError(f"wrk failed: {(result.stderr or result.stdout).strip()}")
    seen = json.loads(lines[-1])
    if seen["refused"] or seen["broken"] or not seen["answers"]:
        raise WorkerError(f"{base}: {seen['answers']} answers, {seen['refused']} refused, {seen['broken']} broken connections")
    duration = seen["microseconds"] / 1e6
    return {
        "answers": seen["answers"] / duration, "bytes": seen["bytes"] / duration, "p50": seen["p50"], "p99": seen["p99"],
        "count": seen["answers"],
    }

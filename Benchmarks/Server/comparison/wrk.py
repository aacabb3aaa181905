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
    """`requests` are whole requests; wrk sends them as they are. Each one stands behind a line with its length."""
    path.write_bytes(b"".join(b"%d\n%b" % (len(request), request) for request in requests))


def get(target, host, fields=None):
    """The bytes of a GET request."""
    return head("GET", target, host, fields or {})


def post(target, host, fields, body):
    """The bytes of a POST request."""
    return head("POST", target, host, {**fields, "Content-Length": len(body)}) + body


def head(method, target, host, fields):
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host}", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def run(base, requests, connections, seconds, threads=2, pause_ms=0):
    """Answers and bytes per second, and latencies in microseconds, of what `requests` (a file) asks for. None where no
    answer came: on a busy machine that is no failure of the server, but nothing can be said of it either. A connection waits
    `pause_ms` before each request, in the mean; 0 asks for as much as the server can do."""
    command = ["wrk", "-t", threads, "-c", connections, "-d", f"{seconds}s", "--timeout", "20s", "-s", SCRIPT, base, "--", requests, pause_ms]
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    lines = [line for line in result.stdout.splitlines() if line.startswith("{")]
    if result.returncode != 0 or not lines:
        raise WorkerError(f"wrk failed: {(result.stderr or result.stdout).strip()}")
    seen = json.loads(lines[-1])
    if seen["refused"] or seen["broken"]:
        raise WorkerError(f"{base}: {seen['answers']} answers, {seen['refused']} refused, {seen['broken']} broken connections")
    if not seen["answers"]:
        return None
    duration = seen["microseconds"] / 1e6
    return {
        "answers": seen["answers"] / duration, "bytes": seen["bytes"] / duration, "p50": seen["p50"], "p99": seen["p99"],
        "count": seen["answers"],
    }

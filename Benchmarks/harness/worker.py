"""Builds a benchmark's program, and talks to the processes that run its contestants."""

import pathlib
import subprocess
import tempfile

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
ROOT = BENCHMARKS.parent


# The cached plan of a package does not notice that files of another package came or went.
FRESH_PLAN = "--disable-build-manifest-caching"


class WorkerError(Exception):
    """A worker, or the build of one, failed; the text says how, for people."""


def build(name):
    """Builds the program of the benchmark `name` for release, which takes a moment when nothing changed. Its path."""
    scratch = ROOT / ".build/bench" / name
    run(["swift", "build", FRESH_PLAN, "--configuration", "release", "--package-path", BENCHMARKS / name,
         "--scratch-path", scratch])
    return scratch / f"release/{name}Benchmark"


def build_product(name):
    """Builds one of the package's own programs for release, as scripts/demo does. Its path."""
    run([ROOT / "scripts/build", "--release", FRESH_PLAN, "--product", name])
    return ROOT / ".build/release" / name


def run(command):
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    except OSError as error:
        raise WorkerError(f"cannot run {command[0]}: {error.strerror}") from error
    if result.returncode != 0:
        raise WorkerError(f"the benchmark does not build:\n{result.stdout.strip()}")


class Worker:
    """A process that answers one line to each line it is asked. Use it in a `with` statement, which ends it."""

    def __init__(self, *command):
        # The engine is talkative; what it says is of interest only if the process ends before its time.
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            text=True, bufsize=1,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass  # It is gone already.
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()

    def ask(self, command, contestant, *words):
        question = "\t".join(map(str, (command, contestant, *words)))
        try:
            self.process.stdin.write(question + "\n")
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise WorkerError(f"{contestant}: its process ended{self.last_words()}")
        if answer.startswith("error: "):
            raise WorkerError(f"{contestant}: {answer.removeprefix('error: ').strip()}")
        return answer.strip()

    def last_words(self):
        status = self.process.wait()
        self.errors.seek(0)
        lines = self.errors.read().strip().splitlines()
        return f" with status {status}" + (f": {lines[-1]}" if lines else "")

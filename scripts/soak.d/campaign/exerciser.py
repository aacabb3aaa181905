"""A process that loads and runs models, one after the other; and who of them ended it."""

import os
import select
import signal
import struct
import subprocess
import tempfile
import time


class Crash(Exception):
    """The process ended by a signal; the text names it and has the last lines that it said."""


class TooSlow(Exception):
    """No answer in time."""


class Exerciser:
    """Use it in a `with` statement, which ends the process; by one thread. A crash or a slow model ends the process too.

    `program` is a path, or a list of it and its arguments."""

    def __init__(self, program, seconds, environment=None):
        self.program, self.seconds = program, seconds
        # Its answers to a crash would take longer than all else.
        self.environment = {"SWIFT_BACKTRACE": "enable=no", "PATH": os.environ.get("PATH", "")} | (environment or {})
        self.process = None
        self.said = tempfile.TemporaryFile()
        # What the process has run since it began.
        self.batch = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        self.said.close()

    def ask(self, data):
        """The answer to a model: a word, and why."""
        if self.process is None:
            self._start()
        self.batch.append(data)
        try:
            self.process.stdin.write(struct.pack("<I", len(data)) + data)
            answer = self._read_line()
        except BrokenPipeError:
            answer = b""
        if not answer.endswith(b"\n"):
            raise Crash(self._end())
        return answer.decode(errors="replace").rstrip("\n")

    def _read_line(self):
        """What the process says up to the end of a line, or to its own end. A line may have megabytes."""
        parts, deadline = [], time.monotonic() + self.seconds
        while True:
            if not select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
                self.stop()
                raise TooSlow
            parts.append(os.read(self.process.stdout.fileno(), 1 << 20))
            if not parts[-1] or parts[-1].endswith(b"\n"):
                return b"".join(parts)

    def _start(self):
        self.said.seek(0)
        self.said.truncate()
        self.batch = []
        self.process = subprocess.Popen(
            self.program if isinstance(self.program, list) else [self.program], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self.said, bufsize=0, env=self.environment)

    def _end(self):
        process, self.process = self.process, None
        process.stdin.close()
        status = process.wait()
        process.stdout.close()
        self.said.seek(0, os.SEEK_END)
        self.said.seek(max(0, self.said.tell() - 2000))
        lines = [line for line in self.said.read().decode(errors="replace").splitlines() if line.strip()]
        name = signal.Signals(-status).name if status < 0 else f"exit {status}"
        return f"{name} {' / '.join(lines[-2:])[-300:]}"

    def stop(self):
        if self.process is not None:
            process, self.process = self.process, None
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()


def culprit(program, seconds, batch, environment=None):
    """The model of a batch that ends the process, with the text of the crash, in a process of its own where that is
    enough; else the last one from which on the batch ends it. None where it cannot be repeated."""
    def crash(models):
        with Exerciser(program, seconds, environment) as exerciser:
            for model in models:
                try:
                    exerciser.ask(model)
                except Crash as error:
                    return str(error)
                except TooSlow:
                    continue
        return None

    for repeats in (1, 20):
        if text := crash(batch[-1:] * repeats):
            return batch[-1], text
    if not (text := crash(batch)):
        return None
    begin, end = 0, len(batch) - 1
    while begin < end:
        middle = (begin + end + 1) // 2
        begin, end = (middle, end) if crash(batch[middle:]) else (begin, middle - 1)
    return batch[begin], f"{text} (seen {len(batch) - 1 - begin} models later)"

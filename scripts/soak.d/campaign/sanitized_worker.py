"""A process, built with the address sanitizer, that answers a line to each input; started anew when one breaks it."""

import os
import select
import struct
import subprocess
import tempfile

from campaign import options


class Broken(Exception):
    """The process crashed, or took too long or too much; the text says which."""


class SanitizedWorker:
    """Use it in a `with` statement, which ends the process; by one thread."""

    def __init__(self, program, seconds, megabytes):
        self.program, self.seconds = program, seconds
        self.environment = {
            "ASAN_OPTIONS": f"hard_rss_limit_mb={megabytes}:max_allocation_size_mb={megabytes}:quarantine_size_mb=16:"
            "detect_leaks=1:detect_stack_use_after_return=0",
            "LSAN_OPTIONS": f"suppressions={options.ROOT}/scripts/sanitizers/leaks.txt:print_suppressions=0",
        }
        self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._stop()

    def ask(self, data):
        """The answer to `data`. Raises `Broken`; the next input finds a new process then."""
        if self.process is None:
            self._start()
        try:
            self.process.stdin.write(struct.pack("<I", len(data)) + data)
            if not select.select([self.process.stdout], [], [], self.seconds)[0]:
                self._stop()
                raise Broken(f"no answer within {self.seconds} s")
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = b""
        if not answer:
            raise Broken(self._last_words())
        return answer.decode().strip()

    def finish(self):
        """Lets the process end by itself, which is when the sanitizer looks for lost memory."""
        if self.process is None:
            return
        self.process.stdin.close()
        if self.process.wait() != 0:
            raise Broken(self._last_words())

    def _start(self):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0,
            env=os.environ | self.environment)

    def _stop(self):
        if self.process is None:
            return
        self.process.kill()
        self._close()

    def _last_words(self):
        """What the sanitizer said in summary, of a process that ends."""
        status = self.process.wait()
        self.errors.seek(0)
        lines = self.errors.read().decode(errors="replace").splitlines()
        telling = [line for line in lines if "SUMMARY:" in line or "Fatal error" in line or "rss limit" in line]
        self._close()
        return f"ended with status {status}: {(telling or lines or ['nothing said'])[-1].strip()}"

    def _close(self):
        self.process.wait()
        for file in (self.process.stdin, self.process.stdout, self.errors):
            file.close()
        self.process = None

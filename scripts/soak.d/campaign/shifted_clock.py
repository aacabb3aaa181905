"""The clocks of a program under test, which the campaign sets as it likes."""

import mmap
import pathlib
import struct

from campaign import preloaded


class ShiftedClock:
    """Give `environment` to the program. `seconds` is what its time of day was set ahead of the machine's, `passed_seconds`
    the time that went by for it alone."""

    def __init__(self, folder):
        library = preloaded.build("shifted_clock", folder)
        path = pathlib.Path(folder) / "shift"
        path.write_bytes(bytes(16))
        with open(path, "r+b") as file:
            self._page = mmap.mmap(file.fileno(), 16)
        self.environment = {"LD_PRELOAD": str(library), "SHIFTED_CLOCK": str(path)}

    @property
    def seconds(self):
        return self._read(0)

    @seconds.setter
    def seconds(self, value):
        self._write(0, value)

    @property
    def passed_seconds(self):
        return self._read(8)

    @passed_seconds.setter
    def passed_seconds(self, value):
        self._write(8, value)

    def _read(self, start):
        return struct.unpack("=q", self._page[start:start + 8])[0] // 1_000_000

    def _write(self, start, value):
        # One store of eight bytes, which nobody sees half done.
        self._page[start:start + 8] = struct.pack("=q", value * 1_000_000)

"""The time of day of a program under test, which the campaign sets as it likes."""

import mmap
import pathlib
import shutil
import struct
import subprocess

SOURCE = pathlib.Path(__file__).with_name("shifted_clock.c")


class ShiftedClock:
    """Give `environment` to the program. `seconds` is what its time of day is ahead of the machine's."""

    def __init__(self, folder):
        compiler = next((name for name in ("cc", "clang", "gcc") if shutil.which(name)), None)
        if compiler is None:
            raise RuntimeError("there is no C compiler (cc, clang or gcc); install one")
        library = pathlib.Path(folder) / "shifted_clock.so"
        subprocess.run([compiler, "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
        path = pathlib.Path(folder) / "shift"
        path.write_bytes(struct.pack("=q", 0))
        with open(path, "r+b") as file:
            self._page = mmap.mmap(file.fileno(), 8)
        self.environment = {"LD_PRELOAD": str(library), "SHIFTED_CLOCK": str(path)}

    @property
    def seconds(self):
        return struct.unpack("=q", self._page[:8])[0] // 1_000_000

    @seconds.setter
    def seconds(self, value):
        # One store of eight bytes, which nobody sees half done.
        self._page[:8] = struct.pack("=q", value * 1_000_000)

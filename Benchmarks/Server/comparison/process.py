"""What a server costs: processor time and resident memory, children included, as the kernel counts them."""

import os
import pathlib

TICKS = os.sysconf("SC_CLK_TCK")


class Process:
    """A running process, its children taken with it."""

    def __init__(self, number):
        self.number = number

    def members(self):
        children = pathlib.Path(f"/proc/{self.number}/task/{self.number}/children").read_text().split()
        return [self.number, *map(int, children)]

    def processor_seconds(self):
        return sum(self.ticks(number) for number in self.members()) / TICKS

    @staticmethod
    def ticks(number):
        fields = pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def resident_bytes(self):
        """Memory of the members; what they share counts once, in shares."""
        return sum(self.proportional_bytes(number) for number in self.members())

    @staticmethod
    def proportional_bytes(number):
        for line in pathlib.Path(f"/proc/{number}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
        return 0

"""What a contestant is opened with, as the words of a command."""

from dataclasses import astuple, dataclass


@dataclass(frozen=True)
class Job:
    task: str
    model: str
    picture: str
    threads: int
    side: int
    placement: str
    values: str
    threshold: float | None

    @staticmethod
    def of(task, model, picture, threads, side, placement, values, threshold):
        return Job(
            task, model, picture, int(threads), int(side), placement, values, None if threshold == "usual" else float(threshold))

    @property
    def words(self):
        return ["usual" if value is None else value for value in astuple(self)]

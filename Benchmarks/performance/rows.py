"""A row of the page: one thing that was measured, ours and a peer's."""

from dataclasses import asdict, dataclass

# What is measured, and whether more of it is better.
UNITS = {"s": False, "bytes": False, "calls": False, "answers/s": True, "bytes/s": True, "images/s": True, "photos": True}


@dataclass(frozen=True)
class Row:
    """`ours`, `peer` and `ratio` are summaries: the median, and the quartiles `low` and `high`. The ratio is ours divided by
    the peer's in the same round."""

    name: str  # tells the row from all others of its benchmark, for as long as it is measured
    meaning: str  # one sentence
    unit: str
    ours: dict
    peer: dict | None = None
    ratio: dict | None = None

    def as_json(self):
        return {key: value for key, value in asdict(self).items() if value is not None}

    @staticmethod
    def of_json(value):
        return Row(**value)


def single(value):
    """What was measured once."""
    return {"median": value, "low": value, "high": value}


def scaled(summary, factor):
    return {key: value * factor for key, value in summary.items()}

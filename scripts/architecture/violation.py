"""What the rules find."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class Violation:
    path: str
    line: int
    rule: str
    text: str
    # What exceptions.txt can name to excuse it, if anything.
    places: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.text}"

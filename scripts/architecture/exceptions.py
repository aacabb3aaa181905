"""What may break a rule for now: exceptions.txt, a list that only shrinks."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from architecture.package import Package
from architecture.violation import Violation

LIST = "scripts/architecture/exceptions.txt"


@dataclass(frozen=True)
class _Exception:
    line: int
    rule: str
    place: str


def apply(package: Package, violations: Collection[Violation], rules: Collection[str]) -> Iterator[Violation]:
    """The violations that the list does not excuse, and what is wrong with the list.

    A violation is excused when the list has each of its places under its rule.
    """
    listed, complaints = _read(package, rules)
    excused = {(exception.rule, exception.place) for exception in listed}
    needed = {(violation.rule, place) for violation in violations for place in violation.places}
    for violation in violations:
        if not violation.places or any((violation.rule, place) not in excused for place in violation.places):
            yield violation
    yield from complaints
    for exception in listed:
        if (exception.rule, exception.place) not in needed:
            text = f"{exception.place} no longer breaks the rule {exception.rule!r}: take this line out"
            yield Violation(LIST, exception.line, "exceptions", text)


def _read(package: Package, rules: Collection[str]) -> tuple[list[_Exception], list[Violation]]:
    listed: list[_Exception] = []
    complaints = []
    lines = (package.text(LIST) or "").split("\n") if LIST in package.files else []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        # Places have no blanks.
        rule, place, reason = (line.split(maxsplit=2) + ["", ""])[:3]
        if rule not in rules:
            text = f"no exceptions are possible from the rule {rule!r}, only from {', '.join(rules)}"
        elif not reason:
            text = "an exception needs a reason: rule, place, reason"
        elif any((rule, place) == (other.rule, other.place) for other in listed):
            text = f"{place} is listed twice"
        else:
            listed.append(_Exception(number, rule, place))
            continue
        complaints.append(Violation(LIST, number, "exceptions", text))
    return listed, complaints

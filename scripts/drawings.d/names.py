"""Whether the names in a drawing are those of the sources."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator

_TYPE = re.compile(r"\b(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)")
_TABLE = re.compile(r"\bCREATE TABLE (?:IF NOT EXISTS )?(\w+)")


class SourceNames:
    """The types, the tables and the files of Sources."""

    def __init__(self, root: pathlib.Path) -> None:
        self._types: dict[str, list[str]] = {}
        self._tables: set[str] = set()
        self._files: set[str] = set()
        for path in sorted((root / "Sources").rglob("*")):
            if path.is_file():
                self._files.add(path.name)
            if path.suffix == ".swift":
                text = path.read_text()
                self._tables.update(_TABLE.findall(text))
                for name in {*_TYPE.findall(text), *re.findall(r"\bextension ([\w.]+)", text)}:
                    self._types.setdefault(name.rpartition(".")[2], []).append(text)

    def unknown(self, data: dict) -> Iterator[str]:
        """Each name in a drawing that the sources do not have."""
        for box in data["box"]:
            if (code := box.get("code")) and not self._knows(code):
                yield code

    def _knows(self, code: str) -> bool:
        if code in self._files or code in self._tables:
            return True
        owner, _, member = code.partition(".")
        texts = self._types.get(owner, [])
        if not member:
            return bool(texts)
        declaration = re.compile(rf"\b(?:func|var|let|case)\s+{re.escape(member)}\b")
        return any(declaration.search(text) for text in texts)

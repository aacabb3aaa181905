"""Just enough of Swift's grammar to find imports, top-level declarations and the bodies of functions."""

from __future__ import annotations

import bisect
import functools
import re
from dataclasses import dataclass

_ATTRIBUTE = r"@\w+(?:\([^)\n]*\))?"
_ACCESS = r"(?:public|package|internal|fileprivate|private|open)(?:\(set\))?"

_IMPORT = re.compile(
    rf"(?:^|;)[ \t]*(?:(?:{_ATTRIBUTE}|{_ACCESS})\s+)*import\s+"
    r"(?:(?:struct|class|enum|protocol|typealias|actor|func|let|var)\s+)?`?(\w+)",
    re.MULTILINE,
)
_TYPE = re.compile(r"(?<![\w.`])(?<!import )(?:class|struct|enum|actor|protocol|typealias)\s+`?(\w+)")
_INTERESTING = re.compile(r'//|/\*|#*"|[()]')
_TOP_LEVEL = re.compile(
    r"(?P<brace>[{}])|(?<![\w.`])(?<!import )(?P<kind>class|struct|enum|actor|protocol|typealias|func)\s+`?(?P<name>\w+)"
)
_PRIVATE = re.compile(r"\b(?:file)?private(?!\(set\))\b")
# A property has a body when it is computed, and when a closure makes its value.
_BODY = re.compile(
    r"(?<![\w.`])(?:func\s+(?P<name>`?\w+`?|[^\s\w(]+)|(?P<head>init|subscript)(?=[?!]?\s*[(<])|(?P<deinit>deinit)\b"
    r"|(?<!case )(?:var|let)\s+(?P<property>`?\w+`?))"
)
# Where one of these follows, the declaration before it has no body: it is a protocol's.
_NEXT = re.compile(
    r"[;}#]|(?<![\w.`])(?:func|var|let|init|deinit|subscript|case|static|class|struct|enum|actor|extension|protocol|typealias"
    r"|associatedtype|import|public|package|internal|private|fileprivate|open|mutating|nonmutating|override|final|return|if|for)\b"
)
_BRACKETS = {"(": 1, "[": 1, ")": -1, "]": -1}


@dataclass(frozen=True)
class Declaration:
    """A type, type alias or function declared outside of any braces."""

    name: str
    line: int
    is_type: bool
    # Only its own file can use it.
    is_private: bool


@dataclass(frozen=True)
class Body:
    """A function, initializer, subscript or property with braces."""

    # As in `run(_:for:)`.
    name: str
    first_line: int
    last_line: int

    @property
    def lines(self) -> int:
        return self.last_line - self.first_line + 1


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def imports(code: str) -> list[tuple[str, int]]:
    """Each imported module (`Foo` for `import struct Foo.Bar`) with its line, from code without comments."""
    return [(match[1], line_of(code, match.start(1))) for match in _IMPORT.finditer(code)]


def top_level_types(code: str) -> list[tuple[str, int]]:
    """Each type declared outside of any braces with its line, from code without comments."""
    depth = 0
    found = []
    for token in re.finditer(r"[{}]|" + _TYPE.pattern, code):
        if token[0] == "{":
            depth += 1
        elif token[0] == "}":
            depth -= 1
        elif depth == 0:
            found.append((token[1], line_of(code, token.start(1))))
    return found


def top_level_declarations(code: str) -> list[Declaration]:
    """What is declared outside of any braces, from code without comments."""
    depth = 0
    found = []
    for token in _TOP_LEVEL.finditer(code):
        if token["brace"]:
            depth += 1 if token["brace"] == "{" else -1
        elif depth == 0:
            before = code[code.rfind("\n", 0, token.start()) + 1 : token.start()]
            is_private = _PRIVATE.search(before) is not None
            is_type = token["kind"] != "func"
            found.append(Declaration(token["name"], line_of(code, token.start("name")), is_type, is_private))
    return found


def bodies(code: str) -> list[Body]:
    """The functions, initializers, subscripts and properties with braces, from code without comments.

    A closure alone is none, but counts as part of what contains it.
    """
    line_ends = [match.start() for match in re.finditer("\n", code)]
    found = []
    for match in _BODY.finditer(code):
        if match["property"]:
            name, opening = match["property"], _opening_of_property(code, match.end())
        else:
            labels, end = ("", match.end()) if match["deinit"] else _parameters(code, match.end())
            name, opening = (match["name"] or match["head"] or "deinit") + labels, _opening_of_function(code, end)
        if opening is not None:
            first, last = (bisect.bisect_left(line_ends, offset) + 1 for offset in (match.start(), _closing(code, opening)))
            found.append(Body(name.replace("`", ""), first, last))
    return found


def _parameters(code: str, at: int) -> tuple[str, int]:
    """The labels as in `(_:for:)`, and where the parameters end."""
    opening = code.find("(", at)
    if opening < 0:
        return "", len(code)
    depth, labels = 0, ""
    for match in re.compile(r"[(\[{]|[)\]}]|(?<=[(,])\s*(?:@\w+\s+)*`?(\w+)`?(?:\s+`?\w+`?)?\s*:").finditer(code, opening):
        if match[1]:
            labels += match[1] + ":" if depth == 1 else ""
        else:
            depth += 1 if match[0] in "([{" else -1
            if depth == 0:
                return f"({labels})", match.end()
    return "", len(code)


def _opening_of_function(code: str, at: int) -> int | None:
    opening = code.find("{", at)
    return None if opening < 0 or _NEXT.search(code, at, opening) else opening


def _opening_of_property(code: str, at: int) -> int | None:
    """The brace of `name: Type {`, `name: Type = {`, or of a `didSet` or `willSet`."""
    depth = 0
    for match in re.compile(r"[(\[)\]{}=;\n]").finditer(code, at):
        depth += _BRACKETS.get(match[0], 0)
        if depth > 0 or match[0] in _BRACKETS and depth == 0:
            continue
        if match[0] == "{":
            # `if var name {` has no type.
            is_computed = code[at : match.start()].lstrip().startswith(":") and "=" not in code[at : match.start()]
            is_closure = code[: match.start()].rstrip().endswith("=")
            is_observed = re.compile(r"\{\s*(?:didSet|willSet)\b").match(code, match.start()) is not None
            return match.start() if is_computed or is_closure or is_observed else None
        if match[0] != "=":
            return None
    return None


def _closing(code: str, opening: int) -> int:
    depth = 0
    for match in re.compile(r"[{}]").finditer(code, opening):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    return len(code)


@functools.lru_cache(maxsize=4096)
def code(text: str) -> str:
    """As `without_comments_and_strings`, once for each text."""
    return without_comments_and_strings(text)


def without_comments_and_strings(text: str) -> str:
    """The text with comments and string contents blanked out; offsets and lines stay as they were."""
    return _Blanker(text).run()


class _Blanker:
    def __init__(self, text: str):
        self.text = text
        self.kept: list[str] = []

    def run(self) -> str:
        at = 0
        while at < len(self.text):
            at = self._code(at, in_interpolation=False)
        return "".join(self.kept)

    def _keep(self, start: int, end: int) -> None:
        self.kept.append(self.text[start:end])

    def _blank(self, start: int, end: int) -> None:
        self.kept.append(re.sub(r"[^\n]", " ", self.text[start:end]))

    def _code(self, at: int, in_interpolation: bool) -> int:
        """Passes over code up to its end, or up to the parenthesis that ends an interpolation."""
        parentheses = 0
        while match := _INTERESTING.search(self.text, at):
            self._keep(at, match.start())
            at, token = match.start(), match[0]
            if token == "//":
                at = self._skip_to(at, self._line_end(at))
            elif token == "/*":
                at = self._skip_to(at, self._block_comment_end(at))
            elif token.endswith('"'):
                at = self._string(at, hashes=len(token) - 1)
            else:
                parentheses += 1 if token == "(" else -1
                self._keep(at, at + 1)
                at += 1
                if in_interpolation and parentheses < 0:
                    return at
        self._keep(at, len(self.text))
        return len(self.text)

    def _skip_to(self, start: int, end: int) -> int:
        self._blank(start, end)
        return end

    def _line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def _block_comment_end(self, at: int) -> int:
        depth = 0
        for match in re.compile(r"/\*|\*/").finditer(self.text, at):
            depth += 1 if match[0] == "/*" else -1
            if depth == 0:
                return match.end()
        return len(self.text)

    def _string(self, at: int, hashes: int) -> int:
        """Passes over a string literal; what is interpolated in it is code again."""
        quote = '"""' if self.text.startswith('"""', at + hashes) else '"'
        escape, closing = "\\" + "#" * hashes, quote + "#" * hashes
        one_line = quote == '"'
        start, at = at, at + hashes + len(quote)
        while at < len(self.text):
            if self.text.startswith(closing, at):
                return self._skip_to(start, at + len(closing))
            if self.text.startswith(escape + "(", at):
                self._blank(start, at + len(escape) + 1)
                start = at = self._code(at + len(escape) + 1, in_interpolation=True)
            elif self.text.startswith(escape, at):
                at += len(escape) + 1
            elif one_line and self.text[at] == "\n":
                # Not a string after all, perhaps a quote in a regex literal: the damage ends with the line.
                return self._skip_to(start, at)
            else:
                at += 1
        return self._skip_to(start, len(self.text))

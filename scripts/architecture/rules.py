"""The rules themselves; each is one function that yields violations."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from architecture import exceptions, shape, swift_source
from architecture.package import Package, Target
from architecture.violation import Violation

# What a floor may use besides itself.
BELOW = {
    "Native": (),
    "Shared": ("Native",),
    "Device": ("Shared", "Native"),
    "Server": ("Shared", "Native"),
    "Tools": ("Device", "Server", "Shared", "Native"),
    "Tests": ("Tools", "Device", "Server", "Shared", "Native"),
}
# The rules of which exceptions.txt excuses some places.
WITH_EXCEPTIONS = ("unique", "function", "folder", "circle")
MOST_LINES = 500
SOURCE_SUFFIXES = (".swift", ".h", ".c", ".py", ".sh", ".js", ".css", ".html")
MACHINE_FOLDERS = ("work", "home", "root", "farm")
# SwiftPM itself compiles it, into the program of all tests.
TEST_PROGRAM = "Tests/XCTMain.swift"
# The one module that may use the standard library's lock.
# The compiler inlines only public functions into other modules.
INLINED_LOCK = "Sources/Shared/Concurrency/Lock.swift"
LOCK_FOLDER = "Sources/Shared/Concurrency/"

_MACHINE_PATH = re.compile(r"(?<![\w.~})-])/(?:" + "|".join(MACHINE_FOLDERS) + r")/")
_CONFORMANCES = re.compile(
    r"(?m)^(?P<access>public\s+|open\s+)?(?:final\s+|indirect\s+)*(?:struct|enum|class|actor|extension)\s+"
    r"(?P<name>[\w.]+)\s*:(?P<list>[^{]*)\{"
)
_PUBLIC_DECLARATION = re.compile(
    r"(?m)^[ \t]*(?:@\w+(?:\([^)\n]*\))?[ \t]+)*(?P<words>(?:(?:public|open|override|final|static|class|convenience|required|mutating"
    r"|indirect|nonisolated|lazy|weak|prefix|postfix|infix)[ \t]+)+)"
    r"(?:func|var|let|init|subscript|struct|class|enum|actor|protocol|typealias)\b(?P<rest>[^\n]*)"
)
# At the beginning of a documentation comment these words mean a neighbour, which no reader of a page or an editor's hint sees.
_LEANING = re.compile(r"\s*/// *(?P<words>(?:Does |Do )?[Tt]he same\b|Same as\b|As there\b|Likewise\b|Ditto\b)")
_UNPROVED = re.compile(r"@unchecked\s+Sendable\b|\bnonisolated\s*\(\s*unsafe\s*\)")


@dataclass(frozen=True)
class Import:
    path: str
    line: int
    importer: Target
    module: Target


def check(package: Package) -> list[Violation]:
    strict = (undeclared, floors_and_order, door, tests, names, reexports, errors, access, documented, alone, lock, proof, length, paths)
    every = (*strict, unique, shape.function, shape.folder, shape.circle)
    found = {violation for rule in every for violation in rule(package)}
    return sorted(exceptions.apply(package, found, WITH_EXCEPTIONS))


def _imports(package: Package) -> Iterator[Import]:
    """Each import of one of the package's own modules."""
    for path in package.swift_files():
        importer = package.target_of(path)
        if importer is None:
            continue
        for name, line in swift_source.imports(swift_source.code(package.text(path) or "")):
            if name in package.targets:
                yield Import(path, line, importer, package.targets[name])


def _line_in_manifest(package: Package, name: str) -> int:
    manifest = package.text("Package.swift") or ""
    places = [manifest.find(f'{before}"{name}"') for before in ("name: ", "(", "")]
    return swift_source.line_of(manifest, next((place for place in places if place >= 0), 0))


def undeclared(package: Package) -> Iterator[Violation]:
    for found in _imports(package):
        if found.module.name not in found.importer.dependencies:
            text = f"{found.importer.name} imports {found.module.name} without declaring it in Package.swift"
            yield Violation(found.path, found.line, "undeclared", text)
    for path in package.swift_files():
        if package.target_of(path) is None and not path.startswith("Tests/Fixtures/") and path != TEST_PROGRAM:
            yield Violation(path, 1, "undeclared", "this file belongs to no target of Package.swift")


def floors_and_order(package: Package) -> Iterator[Violation]:
    for target in package.targets.values():
        if target.floor not in BELOW:
            text = f"{target.name} is in {target.path}, which is on no floor ({', '.join(BELOW)})"
            yield Violation("Package.swift", _line_in_manifest(package, target.name), "floors", text)
        for name in target.dependencies:
            if name in package.targets:
                line = _line_in_manifest(package, target.name)
                yield from _direction("Package.swift", line, target, package.targets[name])
    for found in _imports(package):
        yield from _direction(found.path, found.line, found.importer, found.module)


def _direction(path: str, line: int, upper: Target, lower: Target) -> Iterator[Violation]:
    if upper.floor == lower.floor:
        if lower.position >= upper.position:
            text = f"{upper.name} uses {lower.name}, which {upper.floor} lists after it"
            yield Violation(path, line, "order", text)
    elif lower.floor not in BELOW.get(upper.floor, ()):
        text = f"{upper.name} ({upper.floor}) uses {lower.name} ({lower.floor}): imports run downward only"
        yield Violation(path, line, "floors", text)


def door(package: Package) -> Iterator[Violation]:
    users: dict[str, set[str]] = {name: set() for name, target in package.targets.items() if target.floor == "Native"}
    for found in _imports(package):
        if found.module.name in users and found.importer.floor != "Tests":
            users[found.module.name].add(found.importer.name)
    for name, importers in users.items():
        if len(importers) != 1:
            who = ", ".join(sorted(importers)) or "no target"
            text = f"{name} is imported by {who}; exactly one target is its door"
            yield Violation(f"{package.targets[name].path}/module.modulemap", 1, "door", text)
    for path in package.files:
        target = package.target_of(path)
        if target is not None and target.floor == "Native":
            text = package.text(path) or ""
            if path.endswith(".swift"):
                yield Violation(path, 1, "door", "Native holds C declarations only, no Swift")
            for match in re.finditer(r'(?m)^\s*#\s*(?:include|import)\s*["<][^">\n]*-Swift\.h[">]', text):
                line = swift_source.line_of(text, match.end())
                yield Violation(path, line, "door", "a module in Native never includes a header made from Swift")


def tests(package: Package) -> Iterator[Violation]:
    for found in _imports(package):
        if found.importer.floor == "Tests" and found.module.floor == "Native":
            text = f"{found.importer.name} imports the C module {found.module.name}; test what wraps it"
            yield Violation(found.path, found.line, "tests", text)


def names(package: Package) -> Iterator[Violation]:
    for path in package.swift_files():
        for name, line in swift_source.top_level_types(swift_source.code(package.text(path) or "")):
            if name in package.targets:
                text = f"a type called {name} hides the module {name}: nobody can write {name}.Something any more"
                yield Violation(path, line, "names", text)


def unique(package: Package) -> Iterator[Violation]:
    """One name for one thing: who reads the name of a type need not ask whose it is."""
    places: dict[str, dict[str, tuple[str, int]]] = defaultdict(dict)
    for path in (path for path in package.swift_files() if path.startswith("Sources/")):
        target = package.target_of(path)
        for declaration in swift_source.top_level_declarations(swift_source.code(package.text(path) or "")):
            if target is not None and declaration.is_type and not declaration.is_private:
                places[declaration.name].setdefault(target.name, (path, declaration.line))
    for name, modules in places.items():
        if len(modules) > 1:
            where = ", ".join(f"{module} ({path}:{line})" for module, (path, line) in sorted(modules.items()))
            text = f"{name} is a type of {len(modules)} modules: make it one, or name each for what it is: {where}"
            yield Violation(*min(modules.values()), "unique", text, (name,))


def reexports(package: Package) -> Iterator[Violation]:
    for path in package.files:
        if not (path.startswith("Compatibility/Sources/") and path.endswith(".swift")):
            continue
        for line, text in enumerate(swift_source.code(package.text(path) or "").split("\n"), start=1):
            if text.strip() and not text.startswith("@_exported public import "):
                words = "a compatibility module declares nothing: only `@_exported public import` of what Hearth has"
                yield Violation(path, line, "reexports", words)


def errors(package: Package) -> Iterator[Violation]:
    """What apps get as an error says what is wrong by `localizedDescription` too, which apps show."""
    thrown: dict[tuple[str, str], tuple[str, int]] = {}
    localized: set[tuple[str, str]] = set()
    for path in (path for path in package.swift_files() if path.startswith("Sources/Device/")):
        target = package.target_of(path)
        code = swift_source.code(package.text(path) or "")
        for match in _CONFORMANCES.finditer(code):
            protocols = set(re.findall(r"\w+", match["list"]))
            key = (target.name if target else "", match["name"])
            # A protocol of the house that includes it.
            if protocols & {"LocalizedError", "NSErrorWrapper"}:
                localized.add(key)
            elif match["access"] and protocols & {"Error", "CustomNSError"}:
                thrown[key] = (path, swift_source.line_of(code, match.start("name")))
    for key, (path, line) in thrown.items():
        if key not in localized:
            text = f"{key[1]} is no LocalizedError: what apps print of it would not say what is wrong"
            yield Violation(path, line, "errors", text)


def _public_declarations(package: Package, *, exported: bool) -> Iterator[tuple[str, int, re.Match[str]]]:
    """Path and line of what is `public` in the modules that users see, or in the others."""
    modules = package.exported()
    for path in (path for path in package.swift_files() if path.startswith("Sources/")):
        target = package.target_of(path)
        if target is None or (target.name in modules) != exported:
            continue
        text = package.text(path) or ""
        for match in _PUBLIC_DECLARATION.finditer(swift_source.code(text)):
            if {"public", "open"} & set(match["words"].split()):
                yield path, swift_source.line_of(text, match.start("words")), match


def access(package: Package) -> Iterator[Violation]:
    for path, line, _ in _public_declarations(package, exported=False):
        if path == INLINED_LOCK:
            continue
        yield Violation(path, line, "access", "no product shows this module: declare it `package`, not `public`")


def documented(package: Package) -> Iterator[Violation]:
    for path, line, match in _public_declarations(package, exported=True):
        # What overrides or conforms by an underscored name has its comment where it was declared first.
        if "override" in match["words"].split() or match["rest"].startswith((" _", " ==", " ~=")):
            continue
        if not _has_documentation((package.text(path) or "").split("\n"), line):
            words = "a public declaration without a documentation comment: what it does, errors, threads"
            yield Violation(path, line, "documented", words)


def alone(package: Package) -> Iterator[Violation]:
    for path in (path for path in package.swift_files() if path.startswith("Sources/")):
        lines = (package.text(path) or "").split("\n")
        for number, (before, text) in enumerate(zip(["", *lines], lines), start=1):
            match = _LEANING.match(text)
            if match and not before.lstrip().startswith("///"):
                words = f"a documentation comment that begins with '{match['words']}': say what this one does; it is read alone"
                yield Violation(path, number, "alone", words)


def lock(package: Package) -> Iterator[Violation]:
    for path in (path for path in package.swift_files() if path.startswith("Sources/")):
        if path.startswith(LOCK_FOLDER):
            continue
        code = swift_source.code(package.text(path) or "")
        for match in re.finditer(r"\b(?:Mutex|NSLock|NSRecursiveLock|os_unfair_lock|pthread_mutex_t)\b", code):
            line = swift_source.line_of(code, match.start())
            yield Violation(path, line, "lock", f"`{match[0]}`: use Lock of HearthConcurrency, the one that older systems can have, too")


def _has_documentation(lines: list[str], line: int) -> bool:
    above = line - 2
    while above >= 0 and re.match(r"\s*(?:@|\*, |message: |\)$)", lines[above]):
        above -= 1
    return above >= 0 and lines[above].lstrip().startswith("///")


def proof(package: Package) -> Iterator[Violation]:
    # Everywhere, also in packages of their own such as the benchmarks.
    for path in (path for path in package.files if path.endswith(".swift")):
        text = package.text(path) or ""
        lines = text.split("\n")
        for match in _UNPROVED.finditer(swift_source.code(text)):
            line = swift_source.line_of(text, match.start())
            if not _has_comment(lines, line):
                yield Violation(path, line, "proof", f"`{match[0]}` needs a comment right above that proves it safe")


def _has_comment(lines: list[str], line: int) -> bool:
    if "//" in lines[line - 1]:
        return True
    above = line - 2
    while above >= 0 and lines[above].lstrip().startswith("@"):
        above -= 1
    return above >= 0 and lines[above].lstrip().startswith("//")


def length(package: Package) -> Iterator[Violation]:
    for path in package.files:
        if path.endswith(SOURCE_SUFFIXES) or path.startswith("scripts/"):
            lines = (package.text(path) or "").count("\n")
            if lines > MOST_LINES:
                yield Violation(path, MOST_LINES + 1, "length", f"{lines} lines; the limit is {MOST_LINES}: split it")


def paths(package: Package) -> Iterator[Violation]:
    for path in package.files:
        text = package.text(path) or ""
        for match in _MACHINE_PATH.finditer(text):
            line = swift_source.line_of(text, match.start())
            yield Violation(path, line, "paths", f"{match[0]}... is a path of somebody's machine")

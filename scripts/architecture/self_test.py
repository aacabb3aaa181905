"""Proves the checker: a tiny good package passes, and each way of breaking it is noticed by its rule."""

from __future__ import annotations

import pathlib
import tempfile
from dataclasses import dataclass, field

from architecture import exceptions, rules
from architecture.package import Package, dump_manifest, list_files, products_of, targets_of
from architecture.violation import Violation

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Tiny", products: [.library(name: "Writing", targets: ["TinyPen"])],
    targets: [
        .systemLibrary(name: "CPaint", path: "Sources/Native/CPaint"),
        .target(name: "TinyPaint", dependencies: ["CPaint"], path: "Sources/Shared/Paint"),
        .target(name: "TinyPaper", dependencies: [.target(name: "TinyPaint")], path: "Sources/Shared/Paper"),
        .target(name: "TinyPen", dependencies: ["TinyPaper"], path: "Sources/Device/Pen"),
        .target(name: "TinyShop", dependencies: ["TinyPaper"], path: "Sources/Server/Shop"),
        .executableTarget(name: "tiny", dependencies: ["TinyPen", "TinyShop"], path: "Sources/Tools/tiny"),
        .testTarget(name: "TinyPaintTests", dependencies: ["TinyPaint"], path: "Tests/Paint"),
    ]
)
"""

GOOD = {
    "Package.swift": MANIFEST,
    "Sources/Native/CPaint/module.modulemap": 'module CPaint [system] { header "shim.h" export * }\n',
    "Sources/Native/CPaint/shim.h": "int paint(void);\n",
    "Sources/Shared/Paint/Paint.swift": '''\
import CPaint
public import Foundation

/* A comment is no code: /* import TinyShop */ import TinyPen */
package struct Paint {
    // Nested types may bear any name.
    package enum TinyPaint {}
    let advice = "a string is no code: \\(["import TinyShop"][0]) { enum TinyPen {}"
    let more = """
        import TinyShop
        struct TinyShop {}
        """
}

// Filled once by the module's initialiser and only read afterwards.
nonisolated(unsafe) let palette = paint()
''',
    "Sources/Shared/Paper/Paper.swift": "internal import struct TinyPaint.Paint\n/// White.\npublic struct Paper {}\n",
    "Sources/Device/Pen/Pen.swift": "@_exported public import TinyPaper\n/// Writes.\npublic struct Pen {}\n",
    "Sources/Server/Shop/Shop.swift": '''\
import TinyPaper

/// Immutable after `init`.
@available(*, noasync)
package final class Shop: @unchecked Sendable {}
''',
    "Sources/Tools/tiny/main.swift": "import TinyPen; import TinyShop\n\nprint(Pen.self, Shop.self)\n",
    "Tests/Paint/PaintTests.swift": "@testable import TinyPaint\n",
    "Sources/Device/Pen/Errors.swift": '''\
/// Dry.
/// The same words are good inside a comment.
public enum GoodError: Error { case dry }

extension GoodError: LocalizedError {}

/// Cannot draw.
public struct DrawingError: LocalizedError {}

enum OwnError: Error { case dry }

// A private type is its own file's, and a nested one its type's.
private enum Shop { struct Place {} }
''',
    # As long as a function may be: braces in texts and comments do not count, and a protocol's function has no body.
    "Sources/Server/Shop/Till/Till.swift": '''\
package protocol Counting { func count(_ coins: [Int]) -> Int }

struct Till: Counting {
    var coins = [1, 2]
    func count(_ coins: [Int]) -> Int {
        // {
        let text = "{" + """
            {
            """
''' + "        _ = text\n" * 53 + '''\
        return 0
    }
    func more() {}
}

private struct Counter {}
''',
    # Of the two counters, only the one that others can see is used; a nested type is its own file's.
    "Sources/Server/Shop/Counter/Counter.swift": '''\
struct Counter {
    struct Till {}
    let till: Till
    let text = "Shelf"  // Shelf
}
''',
    "Sources/Server/Shop/Shelf/Shelf.swift": "struct Shelf {\n    let counter: Counter?\n    let kind = Place.Till.self\n}\n",
    # What is right in the target's folder composes the folders.
    "Sources/Server/Shop/Place.swift": "struct Place {\n    let till: Till, shelf: Shelf\n    struct Till {}\n}\n",
    # Excused by the list.
    "Sources/Device/Pen/Long.swift": "func long(for time: Int) {\n" + "\n" * 60 + "}\n",
    "Sources/Shared/Paper/Front/Front.swift": "struct Front { var back: Back? }\n",
    "Sources/Shared/Paper/Back/Back.swift": "typealias Back = [Front]\n",
    exceptions.LIST: '''\
# Rule, place, reason.
function Sources/Device/Pen/Long.swift:long(for:)  not yet split
circle   Sources/Shared/Paper/Front                they are one leaf
circle   Sources/Shared/Paper/Back                 they are one leaf
''',
    "README.md": "Its pages are at https://example.org/home/ and in docs/root/.\n",
}


@dataclass(frozen=True)
class Control:
    """One way to break the package, and what must be said about it."""

    rule: str
    path: str
    line: int
    words: str
    files: dict[str, str] = field(default_factory=dict)
    # Dependencies that the manifest declares in addition.
    declares: dict[str, str] = field(default_factory=dict)


def _changed(path: str, text: str) -> dict[str, str]:
    return {path: GOOD[path] + text}


PEN, PAPER, SHOP = "Sources/Device/Pen/Pen.swift", "Sources/Shared/Paper/Paper.swift", "Sources/Server/Shop/Shop.swift"
INK = "Sources/Device/Pen/Ink.swift"
LONG, TILL = "Sources/Device/Pen/Long.swift", "Sources/Server/Shop/Till/Till.swift"
COUNTER = "Sources/Server/Shop/Counter/Counter.swift"
PAINT_TESTS, SHIM = "Tests/Paint/PaintTests.swift", "Sources/Native/CPaint/shim.h"

CONTROLS = [
    Control("undeclared", PEN, 4, "imports TinyPaint without", _changed(PEN, "public import TinyPaint\n")),
    Control("undeclared", PEN, 4, "imports TinyPaint without", _changed(PEN, "import struct TinyPaint.Paint\n")),
    Control("undeclared", PEN, 4, "imports TinyPaint without", _changed(PEN, "@_exported import TinyPaint\n")),
    Control("undeclared", PEN, 5, "imports TinyPaint without", _changed(PEN, "#if os(Linux)\n    import TinyPaint\n#endif\n")),
    Control("undeclared", PAINT_TESTS, 2, "imports TinyPaper without", _changed(PAINT_TESTS, "@testable import TinyPaper\n")),
    Control("undeclared", "Sources/Shared/Ink/Ink.swift", 1, "belongs to no target", {"Sources/Shared/Ink/Ink.swift": ""}),
    Control("floors", PEN, 4, "TinyPen (Device) uses TinyShop (Server)", _changed(PEN, "import TinyShop\n")),
    Control("floors", SHOP, 6, "TinyShop (Server) uses TinyPen (Device)", _changed(SHOP, "import TinyPen\n")),
    Control("floors", PAPER, 4, "TinyPaper (Shared) uses TinyPen (Device)", _changed(PAPER, "import TinyPen\n")),
    Control("floors", PAPER, 4, "TinyPaper (Shared) uses tiny (Tools)", _changed(PAPER, "import tiny\n")),
    Control("floors", PAPER, 4, "uses TinyPaintTests (Tests)", _changed(PAPER, "import TinyPaintTests\n")),
    Control("floors", "Package.swift", 10, "TinyPen (Device) uses TinyShop (Server)", declares={"TinyPen": "TinyShop"}),
    Control("order", "Sources/Shared/Paint/Paint.swift", 17, "TinyPaint uses TinyPaper, which Shared lists after it",
            _changed("Sources/Shared/Paint/Paint.swift", "import TinyPaper\n"), {"TinyPaint": "TinyPaper"}),
    Control("door", "Sources/Native/CPaint/module.modulemap", 1, "imported by TinyPaint, TinyPen",
            _changed(PEN, "import CPaint\n"), {"TinyPen": "CPaint"}),
    Control("door", "Sources/Native/CPaint/module.modulemap", 1, "imported by no target",
            {"Sources/Shared/Paint/Paint.swift": ""}),
    Control("door", SHIM, 2, "header made from Swift", _changed(SHIM, '#include "TinyPaint-Swift.h"\n')),
    Control("door", "Sources/Native/CPaint/Extra.swift", 1, "no Swift", {"Sources/Native/CPaint/Extra.swift": ""}),
    Control("tests", PAINT_TESTS, 2, "C module CPaint", _changed(PAINT_TESTS, "import CPaint\n"),
            {"TinyPaintTests": "CPaint"}),
    Control("names", PEN, 4, "type called TinyPaper", _changed(PEN, "private enum TinyPaper {}\n")),
    Control("names", PEN, 4, "type called tiny", _changed(PEN, "public typealias tiny = Int\n")),
    Control("names", PEN, 5, "type called TinyShop", _changed(PEN, "#if os(Linux)\n    actor TinyShop {}\n#endif\n")),
    Control("unique", PEN, 3, "for what it is: TinyPen (Sources/Device/Pen/Pen.swift:3), TinyShop (Sources/Server/Shop/Shop.swift:6)",
            _changed(SHOP, "struct Pen {}\n")),
    Control("unique", SHOP, 6, "Ink is a type of 2 modules",
            _changed(PAPER, "package typealias Ink = Int\n") | _changed(SHOP, "protocol Ink {}\n")),
    Control("reexports", "Compatibility/Sources/Ink/Exports.swift", 2, "declares nothing",
            {"Compatibility/Sources/Ink/Exports.swift": "@_exported public import TinyPen\npublic struct Ink {}\n"}),
    Control("errors", PEN, 5, "PenError is no LocalizedError",
            _changed(PEN, "\npublic enum PenError: Error, Sendable { case dry }\n")),
    Control("errors", PEN, 5, "PenError is no LocalizedError",
            _changed(PEN, "\npublic struct PenError: CustomNSError {\n}\nextension Pen: LocalizedError {}\n")),
    Control("access", SHOP, 6, "declare it `package`", _changed(SHOP, "public struct Till {}\n")),
    Control("documented", INK, 3, "without a documentation comment", {
        INK: "/// Wet.\npublic struct Ink {\n    public var color = 0\n    var own = 0\n}\n"}),
    Control("documented", INK, 3, "without a documentation comment", {
        INK: "// No documentation.\n@frozen\npublic enum Ink {\n    /// Blue.\n    case blue\n}\n"}),
    Control("documented", PAPER, 4, "without a documentation comment", _changed(PAPER, "public struct Sheet {}\n")),
    Control("alone", PEN, 5, "begins with 'The same'", _changed(PEN, "\n/// The same for ink.\nstruct Ink {}\n")),
    Control("alone", PEN, 6, "begins with 'Does the same'",
            _changed(PEN, "\nstruct Ink {\n    /// Does the same in blue.\n    func write() {}\n}\n")),
    Control("alone", PEN, 5, "begins with 'Likewise'", _changed(PEN, "\n/// Likewise.\nstruct Ink {}\n")),
    Control("lock", PEN, 5, "`Mutex`", _changed(PEN, "\nlet ink = Mutex(0)\n")),
    Control("proof", PEN, 5, "@unchecked Sendable", _changed(PEN, "\nfinal class Ink: @unchecked Sendable {}\n")),
    Control("proof", PEN, 5, "nonisolated(unsafe)", _changed(PEN, "\nnonisolated(unsafe) var ink = 0\n")),
    Control(
        "proof", "Benchmarks/Pen/Sources/Ink.swift", 1, "@unchecked Sendable",
        GOOD | {"Benchmarks/Pen/Sources/Ink.swift": "final class Ink: @unchecked Sendable {}\n"}),
    Control("length", PEN, 501, "503 lines; the limit is 500", _changed(PEN, "\n" * 500)),
    Control("function", TILL, 5, "`count(_:)` has 61 lines; the limit is 60",
            {TILL: GOOD[TILL].replace("        return 0\n", "        return 0\n\n")}),
    Control("function", LONG, 63, "`init(_:of:)` has 62 lines",
            _changed(LONG, "struct Ink { init<Wet>(_ wet: (Wet, Int) -> Int, of kind: [Int: Int]) {" + "\n" * 61 + "} }\n")),
    Control("function", LONG, 63, "`ink` has 62 lines", _changed(LONG, "var ink: [(Int, Int)] {" + "\n" * 61 + "}\n")),
    Control("function", LONG, 63, "`ink` has 62 lines", _changed(LONG, "let ink: [Int] = {" + "\n" * 61 + "}()\n")),
    Control("function", LONG, 63, "`ink` has 62 lines", _changed(LONG, "var ink = [1] {\n    didSet {" + "\n" * 60 + "} }\n")),
    Control("function", LONG, 1, "`long(of:)` has 62 lines", {LONG: GOOD[LONG].replace("for", "of")}),
    Control("folder", "Sources/Shared/Paper", 1, "1,603 lines of Swift right in it", {
        f"Sources/Shared/Paper/{n}.swift": "\n" * 400 for n in range(4)}),
    Control("circle", COUNTER, 7, "Counter -> Shelf: Counter/Counter.swift:7 uses Shelf",
            _changed(COUNTER, "\nextension Shelf {}\n")),
    Control("circle", COUNTER, 6, "2 folders of TinyShop use each other, so none can be read alone: Counter, Shelf",
            _changed(COUNTER, "let shelf: [Shelf] = []\n")),
    Control("circle", COUNTER, 6, "Shelf -> Counter: Shelf/Price.swift:2 uses Counter, and 1 more", {
        COUNTER: GOOD[COUNTER] + "let price = priceOfShelf()\n", "Sources/Server/Shop/Shelf/Price.swift":
        "func priceOfShelf() -> Int { 1 }\nextension Counter {}\n"}),
    Control("circle", "Sources/Shared/Paper/Back/Back.swift", 1, "Back, Front, Middle", {
        "Sources/Shared/Paper/Middle/Middle.swift": "struct Middle { var front: Front }\n",
        "Sources/Shared/Paper/Front/Front.swift": "struct Front { var back: Back?, middle: Middle? }\n"}),
    Control("exceptions", exceptions.LIST, 2, "Long.swift:long(for:) no longer breaks the rule 'function'", {LONG: ""}),
    Control("exceptions", exceptions.LIST, 4, "Paper/Back no longer breaks the rule 'circle'", {
        "Sources/Shared/Paper/Front/Front.swift": "struct Front {}\n"}),
    Control("exceptions", exceptions.LIST, 5, "needs a reason", _changed(exceptions.LIST, "folder Sources/Device/Pen\n")),
    Control("exceptions", exceptions.LIST, 5, "is listed twice",
            _changed(exceptions.LIST, "circle Sources/Shared/Paper/Back they are one leaf\n")),
    Control("exceptions", exceptions.LIST, 5, "no exceptions are possible from the rule 'length'",
            _changed(exceptions.LIST, f"length {PEN} not yet split\n")),
    Control("paths", "README.md", 2, "somebody's machine", _changed("README.md", "Look into `/" + "home/ann/tiny`.\n")),
    Control("paths", "README.md", 2, "somebody's machine", _changed("README.md", "file:///" + "work/tiny\n")),
]


def run() -> int:
    with tempfile.TemporaryDirectory(prefix="hearth-architecture-") as folder:
        _write(pathlib.Path(folder), GOOD)
        manifest = dump_manifest(pathlib.Path(folder))
    failures = [
        *_complaints("the good package", _violations(manifest, GOOD), None),
        *(
            complaint
            for control in CONTROLS
            for complaint in _complaints(
                f"{control.rule} ({control.words})",
                _violations(_declaring(manifest, control.declares), GOOD | control.files),
                control,
            )
        ),
    ]
    for failure in failures:
        print(f"check-architecture: self-test: {failure}")
    print(f"check-architecture: self-test: {len(CONTROLS) + 1} cases, {len(failures) or 'no'} failures")
    return 1 if failures else 0


def _violations(manifest: dict, files: dict[str, str]) -> list[Violation]:
    with tempfile.TemporaryDirectory(prefix="hearth-architecture-") as folder:
        root = pathlib.Path(folder)
        _write(root, files)
        return rules.check(Package(root, targets_of(manifest), list_files(root), products_of(manifest)))


def _complaints(case: str, violations: list[Violation], control: Control | None) -> list[str]:
    if control is None:
        return [f"{case}: unexpected: {violation}" for violation in violations]
    for found in violations:
        if (found.rule, found.path, found.line) == (control.rule, control.path, control.line):
            if control.words in found.text:
                return []
    said = "; ".join(map(str, violations)) or "nothing"
    return [f"{case}: expected {control.path}:{control.line}, but it said {said}"]


def _declaring(manifest: dict, declares: dict[str, str]) -> dict:
    targets = [
        target | {"dependencies": [*target["dependencies"], {"byName": [declares[target["name"]], None]}]}
        if target["name"] in declares
        else target
        for target in manifest["targets"]
    ]
    return manifest | {"targets": targets}


def _write(root: pathlib.Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)

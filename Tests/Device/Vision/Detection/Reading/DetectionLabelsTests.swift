import HearthModelFile
import Testing

@testable import HearthVision

@Suite("Names of a detector's classes")
struct DetectionLabelsTests {
    private func labels(
        _ text: String?, _ count: DetectionLabels.ClassCount, offset: Int? = nil
    ) throws -> DetectionLabels {
        try DetectionLabels(text.map { try LabelMap(file: Array($0.utf8)) }, count, offset: offset)
    }

    @Test("the count of lines tells whether the first is the background")
    func counts() throws {
        #expect(try labels("a\nb\n", .perBox(2)).text(ofClass: 0) == "a")
        #expect(try labels("background\na\nb\n", .perBox(2)).text(ofClass: 0) == "a")
        #expect(try labels("background\nb\n", .perBox(2)).text(ofClass: 0) == "background", "a class of that name")
        #expect(throws: (any Error).self) { try labels("a\n", .perBox(2)) }
        #expect(throws: (any Error).self) { try labels("a\nb\nc\nd\n", .perBox(2)) }
    }

    @Test("a line too many is the background only if its name says so; blank lines at the end do not count")
    func oneLineTooMany() throws {
        for first in ["background", "__background__", "???", "Unlabeled", ""] {
            #expect(try labels("\(first)\na\nb\n", .perBox(2)).text(ofClass: 0) == "a")
        }
        for text in ["a\nb\nc\n", "none of these\na\nb\n"] {
            #expect(throws: (any Error).self) { try labels(text, .perBox(2)) }
            #expect(throws: (any Error).self) { try labels(text, .perAnchor(2)) }
        }
        for text in ["a\nb\n\n", "a\nb\n\n\n\n", "???\na\nb\n\n\n"] {
            #expect(try labels(text, .perBox(2)).text(ofClass: 0) == "a")
            #expect(try labels(text, .perAnchor(2)).text(ofClass: 1) == "b")
        }
        #expect(try labels("a\n\n", .perBox(2)).text(ofClass: 1) == "", "a class without a name")
    }

    @Test("where the model does not say how many classes it has, the first line does")
    func unknown() throws {
        #expect(try labels("background\na\n", .unknown).text(ofClass: 0) == "a")
        #expect(try labels("a\nb\n", .unknown).text(ofClass: 0) == "a")
    }

    @Test("scores by place may count the background as a class")
    func places() throws {
        #expect(try labels("a\nb\n", .perAnchor(2)).hasBackgroundClass == false)
        let counted = try labels("background\na\n", .perAnchor(2))
        #expect(counted.hasBackgroundClass && counted.text(ofClass: 1) == "a")
        let unnamed = try labels("a\nb\n", .perAnchor(3))
        #expect(unnamed.hasBackgroundClass && unnamed.text(ofClass: 1) == "a")
        let named = try labels("background\na\nb\n", .perAnchor(2))
        #expect(!named.hasBackgroundClass && named.text(ofClass: 0) == "a")
    }

    @Test("the caller knows better")
    func override() throws {
        #expect(try labels("a\nb\nc\n", .perBox(2), offset: 0).text(ofClass: 1) == "b")
        #expect(try labels("a\nb\nc\nd\n", .perBox(2), offset: 2).text(ofClass: 1) == "d")
        for offset in [Int.max, Int.min] {
            #expect(try labels("a\n", .perBox(1), offset: offset).text(ofClass: 1_000_000) == "")
        }
        #expect(try labels(nil, .perBox(2)).text(ofClass: 0) == "")
    }

    @Test(
        "labels that Python wrote as bytes are shown as text; all others as they are",
        arguments: [
            ("b'Tomato'", "Tomato"), ("b\"it's\"", "it's"), (#"b'K\xc3\xa4se'"#, "Käse"), (#"b'a\\b\'c'"#, #"a\b'c"#),
            ("b''", ""), ("b'", "b'"), ("b'a\"", "b'a\""), (#"b'\xff'"#, #"b'\xff'"#), (#"b'\q'"#, #"b'\q'"#),
            (#"b'\x'"#, #"b'\x'"#), (#"b'\x1'"#, #"b'\x1'"#), (#"b'\'"#, #"b'\'"#), ("ball", "ball"), ("b", "b"),
        ])
    func pythonBytes(line: String, text: String) throws {
        #expect(try labels(line + "\n", .perBox(1)).text(ofClass: 0) == text)
    }
}

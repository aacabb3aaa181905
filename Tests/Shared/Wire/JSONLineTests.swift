import Foundation
import HearthWire
import Testing

@Suite struct JSONLineTests {
    /// What a reader of the line finds under `text`.
    private func read(_ text: String) throws -> String {
        var json = JSONLine()
        json.object { $0.member("text", text) }
        #expect(json.text.hasSuffix("}\n") && json.text.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
        return try JSONDecoder().decode([String: String].self, from: Data(json.text.utf8))["text"] ?? ""
    }

    @Test(arguments: [
        "", "plain", "a/b \"quoted\" \\ back", "line\nbreak\r\ttab", "\u{0}\u{1}\u{1F}\u{7F}", "é 漢字 👩‍👩‍👧", "\u{2028}",
    ])
    func anyTextComesBackAsItWas(text: String) throws {
        #expect(try read(text) == text)
    }

    @Test func numbersAreJSON() throws {
        var json = JSONLine()
        json.object { json in
            for (key, value) in [("a", Float.nan), ("b", .infinity), ("c", 1e-30), ("d", -0.0), ("e", 16_777_216)] {
                json.member(key, value)
            }
            json.member("f", Int.min)
        }
        let values = try JSONDecoder().decode([String: Double?].self, from: Data(json.text.utf8))
        #expect(values["a"] == .some(nil) && values["b"] == .some(nil))
        #expect(values["c"] == 1e-30 && values["e"] == 16_777_216 && values["f"] == -9_223_372_036_854_775_808)
    }

    @Test func nestingAndCommasAreRight() {
        var json = JSONLine()
        json.object { json in
            json.member("empty", [Int]()) { _, _ in }
            json.member("list", [1, 2]) { number, json in json.member("n", number) }
            json.member("inner") { json in json.member("x", 1) }
            json.member("last", "z")
        }
        #expect(json.text == #"{"empty":[],"list":[{"n":1},{"n":2}],"inner":{"x":1},"last":"z"}"# + "\n")
    }
}

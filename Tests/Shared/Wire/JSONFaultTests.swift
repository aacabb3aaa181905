import HearthWire
import Testing

@Suite("Where a text stops being JSON") struct JSONFaultTests {
    @Test(
        "The line, the column in characters, and what is wrong",
        arguments: [
            ("{\"a\": 1,\n  \"b\": [1, 2,\n}", "line 3, column 1: a value is missing"),
            ("{\"a\" 1}", "line 1, column 6: a colon is missing"),
            ("{\"é\" 1}", "line 1, column 6: a colon is missing"),
            ("{\"a\": \"x", "line 1, column 7: the closing quote is missing"),
            ("{\"a\": \"x\n\"}", "line 1, column 7: the closing quote is missing on this line"),
            ("", "line 1, column 1: the text ends too early"), ("{\"a\":", "line 1, column 6: the text ends too early"),
            ("{} x", "line 1, column 4: something follows the end of the JSON"),
            ("[1, 2,]", "line 1, column 7: a comma stands before ]"),
            ("{\"a\":1,}", "line 1, column 8: a comma stands before }"),
            ("{a: 1}", "line 1, column 2: a key in double quotes is missing"),
            ("[1 2]", "line 1, column 4: a comma or ] is missing"),
            ("[01]", "line 1, column 2: this is not a number of JSON"),
            ("[1.]", "line 1, column 2: this is not a number of JSON"),
            ("[\"\\x\"]", "line 1, column 3: JSON has no such escape"),
            ("[\"\\u12\"]", "line 1, column 3: JSON has no such escape"),
            ("\u{FEFF}{}", "line 1, column 1: an invisible byte order mark stands here; remove it"),
            ("{\n\u{FEFF}\"a\": 1}", "line 2, column 1: an invisible byte order mark stands here; remove it"),
        ])
    func faults(text: String, place: String) {
        #expect(JSONFault(in: text.utf8)?.description == place)
    }

    @Test(
        "JSON has none",
        arguments: [
            "{}", "[]", "[\"\u{FEFF}\"]", " [[],{},-1.5e-3,\"\\u00e9\\n\",true,false,null]\r\n", "0", "\"é\"",
            "{\"a\":{\"b\":[1]}}",
        ])
    func none(text: String) {
        #expect(JSONFault(in: text.utf8) == nil)
    }

    @Test("A text of brackets only does not exhaust the stack")
    func deep() {
        let text = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(JSONFault(in: text)?.problem == "the text ends too early")
    }
}

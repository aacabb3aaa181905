import Testing

@testable import HearthArguments

@Suite struct TextColorTests {
    private static let terminal = ["TERM": "xterm-256color"]

    @Test func aTerminalThatKnowsColoursGetsThem() {
        let colors = TextColors(isTerminal: true, environment: Self.terminal)
        #expect(colors.notice("error: it is gone") == "\u{1B}[1;31merror:\u{1B}[0m it is gone")
        #expect(colors.notice("warning: it is old") == "\u{1B}[1;33mwarning:\u{1B}[0m it is old")
        #expect(colors.success("Done.") == "\u{1B}[32mDone.\u{1B}[0m")
    }

    @Test func aWordWithinTheTextStaysAsItIs() {
        let colors = TextColors(isTerminal: true, environment: Self.terminal)
        for text in ["note: no error: none", "errors: 3", ""] { #expect(colors.notice(text) == text) }
    }

    @Test(
        arguments: [
            (false, terminal), (true, ["TERM": "dumb"]), (true, [:]), (true, ["TERM": ""]),
            (true, ["TERM": "xterm", "NO_COLOR": "1"]),
        ] as [(Bool, [String: String])])
    func elsewhereAllIsPlain(isTerminal: Bool, environment: [String: String]) {
        let colors = TextColors(isTerminal: isTerminal, environment: environment)
        #expect(!colors.areOn)
        #expect(colors.notice("error: it is gone") == "error: it is gone")
        #expect(colors.success("Done.") == "Done.")
    }

    @Test func anEmptyRefusalIsNone() {
        #expect(TextColors(isTerminal: true, environment: ["TERM": "xterm", "NO_COLOR": ""]).areOn)
    }

    @Test func jsonHasNoColours() {
        let text = ErrorNotice("it is gone").text(.json)
        #expect(text == #"{"error":{"code":"FAILED","message":"it is gone"}}"#)
    }
}

import Testing

@testable import TensorFlowLite

struct EngineLinesTests {
    /// What `pieces`, printed one after the other, leave: messages, and what was passed on.
    private func lines(_ pieces: String...) -> (messages: [LogMessage], rest: String) {
        var rest: [UInt8] = []
        let lines = EngineLines { rest += $0 }
        for piece in pieces { lines.receive(piece.utf8) }
        lines.finish()
        return (lines.messages, String(decoding: rest, as: UTF8.self))
    }

    @Test func takesALineWholeOrInPieces() {
        let made = [LogMessage(level: .info, text: "made.")]
        #expect(lines("INFO: made.\n").messages == made)
        #expect(lines("INFO: ", "made.", "\n").messages == made)
        #expect(lines("INFO: made.").messages == made)
        #expect(lines("INFO: ", "made.", "\n").rest == "")
    }

    @Test func knowsTheLevels() {
        let messages = lines("ERROR: a\nWARNING: b\nINFO: c\nVERBOSE: d\n<Unknown severity>: e\n").messages
        #expect(messages.map(\.level) == [.error, .warning, .info, .info, .info])
        #expect(messages.map(\.text) == ["a", "b", "c", "d", "e"])
    }

    @Test(arguments: ["", "I", "INFO", "INFO:made\n", "info: made.\n", "terminate called\n", "\n", "a\n\nb\n"])
    func passesEverythingElseOn(text: String) {
        #expect(lines(text).rest == text)
        #expect(lines(text).messages.isEmpty)
    }

    @Test func leavesNoEmptyLineOfAMessageThatEndsInALineBreak() {
        let (messages, rest) = lines("ERROR: ", "no such operator\n", "\n", "INFO: x\n")
        #expect(messages.map(\.text) == ["no such operator", "x"])
        #expect(rest == "")
    }

    @Test func survivesBytesThatAreNoText() {
        let lines = EngineLines { _ in }
        lines.receive([0x45, 0x52, 0x52, 0x4F, 0x52, 0x3A, 0x20, 0xFF, 0x0A])
        #expect(lines.messages.first?.text == "\u{FFFD}")
    }
}

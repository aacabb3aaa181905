import Testing

@testable import TensorFlowLite

struct LineFilterTests {
    private func filtered(_ pieces: String..., isActive: Bool = true) -> String {
        var filter = LineFilter(dropping: "INFO: made.\n")
        filter.isActive = isActive
        let passed = pieces.flatMap { filter.filter($0.utf8) }
        return String(decoding: passed + filter.takeHeldBytes(), as: UTF8.self)
    }

    @Test func dropsTheLineWholeOrInPieces() {
        #expect(filtered("INFO: made.\n") == "")
        #expect(filtered("INFO: ", "made.", "\n") == "")
        #expect(filtered("a\nINFO: made.\nb\n") == "a\nb\n")
    }

    @Test func dropsItOnce() {
        #expect(filtered("INFO: made.\nINFO: made.\n") == "INFO: made.\n")
    }

    @Test(arguments: ["", "I", "INFO: ", "INFO: mad", "INFO: made. \n", "INFOINFO: ma\n", "IIII", "info: made.\n"])
    func passesEverythingElse(text: String) {
        #expect(filtered(text) == text)
    }

    @Test func startsAnewAfterAFalseStart() {
        #expect(filtered("INFO: mINFO: made.\n") == "INFO: m")
    }

    @Test func passesEverythingWhenInactive() {
        #expect(filtered("INFO: made.\n", isActive: false) == "INFO: made.\n")
    }

    @Test func holdsBackOnlyWhatMayBecomeTheLine() {
        var filter = LineFilter(dropping: "INFO: made.\n")
        filter.isActive = true
        #expect(filter.filter("x IN".utf8) == Array("x ".utf8))
        #expect(filter.filter("TRO".utf8) == Array("INTRO".utf8))
    }
}

import Testing

@testable import HearthImaging

@Suite("Who gets memory") struct MemoryLineTests {
    @Test("All of it may be taken, and not one byte more")
    func limit() {
        var line = MemoryLine(byteCount: 10)
        let answers = [line.ask(for: 11), line.ask(for: 10)]
        #expect(answers == [.isTooMuch, .granted] && line.usedByteCount == 10)
        let isMore = line.add(1)
        let granted = line.giveBack(10)
        #expect(!isMore && granted.isEmpty && line.usedByteCount == 0)
        let next = line.ask(for: 9)
        let (isLast, isTooMuch) = (line.add(1), line.add(1))
        #expect(next == .granted && isLast && !isTooMuch)
    }

    @Test("Who waits is served in the order of asking, also past one that would fit")
    func order() {
        var line = MemoryLine(byteCount: 10)
        let answers = [line.ask(for: 6), line.ask(for: 8), line.ask(for: 1), line.ask(for: 2)]
        #expect(answers == [.granted, .waits(id: 1), .waits(id: 2), .waits(id: 3)] && line.waitingCount == 3)
        var granted = line.giveBack(3)
        #expect(granted.isEmpty && line.usedByteCount == 3)
        granted = line.giveBack(3)
        #expect(granted == [1, 2] && line.usedByteCount == 9)
        granted = line.giveBack(1)
        #expect(granted == [3] && line.waitingCount == 0 && line.usedByteCount == 10)
        granted = line.giveBack(10)
        #expect(granted.isEmpty && line.usedByteCount == 0)
    }
}

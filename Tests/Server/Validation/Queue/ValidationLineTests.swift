import Testing

@testable import HearthValidation

@Suite("Who is next in the queue") struct ValidationLineTests {
    private func line(places: Int = 1, pauses: [Double] = [1]) -> ValidationLine {
        var limits = QueueLimits()
        limits.concurrentChecks = places
        limits.retryPausesSeconds = pauses
        var line = ValidationLine(limits: limits)
        line.open()
        return line
    }

    @Test("In order of arrival, each once, as many as there are places")
    func order() {
        var line = line(places: 2)
        for name in ["a", "b", "a", "c", "b"] { line.add(name) }
        #expect(line.count == 3)
        #expect([line.next(), line.next(), line.next()] == ["a", "b", nil])
        line.finish("b")
        #expect([line.next(), line.next()] == ["c", nil])
        line.finish("a")
        line.finish("c")
        #expect(line.next() == nil && line.isIdle && line.count == 0)
    }

    @Test("One that is asked for anew while it runs runs once more")
    func again() {
        var line = line()
        line.add("a")
        #expect(line.next() == "a")
        line.add("a")
        line.add("a")
        #expect(line.next() == nil)
        line.finish("a")
        #expect(line.next() == "a")
        line.finish("a")
        #expect(line.next() == nil && line.count == 0)
    }

    @Test("One that failed waits for its pause, and keeps nobody else waiting")
    func pause() {
        var line = line()
        line.add("a")
        line.add("b")
        #expect(line.next() == "a")
        #expect(line.fail("a") == .retry(afterSeconds: 1))
        line.add("a")
        #expect(line.next() == "b")
        line.resume("a")
        line.finish("b")
        #expect(line.next() == "a")
        #expect(line.fail("a") == .giveUp)
        line.finish("a")
        line.add("a")
        #expect(line.next() == "a")
        #expect(line.fail("a") == .retry(afterSeconds: 1), "a new request has all its tries")
    }

    @Test("A closed line begins nothing, forgets what waits, and knows when it is idle")
    func closed() {
        var line = line(places: 2)
        for name in ["a", "b", "c"] { line.add(name) }
        #expect([line.next(), line.next()] == ["a", "b"])
        line.close()
        line.add("d")
        #expect(line.next() == nil && !line.isIdle)
        line.finish("a")
        #expect(line.fail("b") == .leave)
        line.resume("b")
        #expect(line.isIdle && line.count == 0 && line.next() == nil)
    }

    @Test("At least one place, whatever the limit says", arguments: [0, -1, Int.min])
    func places(count: Int) {
        var line = line(places: count)
        line.add("a")
        #expect(line.next() == "a")
    }
}

import Testing

@testable import HearthValidation

@Suite("Who is next in the queue") struct ValidationLineTests {
    private func line(places: Int = 1, pauses: [Double] = [1]) -> ValidationSchedule {
        var limits = QueueLimits()
        limits.concurrentChecks = places
        limits.retryPausesSeconds = pauses
        var line = ValidationSchedule(limits: limits)
        line.open()
        return line
    }

    @Test("In order of arrival, each once, as many as there are places")
    func order() {
        var line = line(places: 2)
        for name in ["a", "b", "a", "c", "b"] { line.add(name, of: name) }
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
        line.add("a", of: "p")
        #expect(line.next() == "a")
        line.add("a", of: "p")
        line.add("a", of: "p")
        #expect(line.next() == nil)
        line.finish("a")
        #expect(line.next() == "a")
        line.finish("a")
        #expect(line.next() == nil && line.count == 0)
    }

    @Test("One that failed waits for its pause, and keeps nobody else waiting")
    func pause() {
        var line = line()
        line.add("a", of: "p")
        line.add("b", of: "p")
        #expect(line.next() == "a")
        #expect(line.fail("a") == .retry(afterSeconds: 1))
        line.add("a", of: "p")
        #expect(line.next() == "b")
        line.resume("a")
        line.finish("b")
        #expect(line.next() == "a")
        #expect(line.fail("a") == .giveUp)
        line.finish("a")
        line.add("a", of: "p")
        #expect(line.next() == "a")
        #expect(line.fail("a") == .retry(afterSeconds: 1), "a new request has all its tries")
    }

    @Test("While the database or the store is away, a file waits however often it is tried, and loses no try")
    func outage() {
        var line = line()
        line.add("a", of: "p")
        for _ in 0..<10 {
            #expect(line.next() == "a")
            #expect(line.fail("a", isOutage: true) == .retry(afterSeconds: QueueLimits().outagePauseSeconds))
            line.resume("a")
        }
        #expect(line.next() == "a")
        #expect(line.fail("a") == .retry(afterSeconds: 1))
    }

    @Test("A closed line begins nothing, forgets what waits, and knows when it is idle")
    func closed() {
        var line = line(places: 2)
        for name in ["a", "b", "c"] { line.add(name, of: name) }
        #expect([line.next(), line.next()] == ["a", "b"])
        line.close()
        line.add("d", of: "p")
        #expect(line.next() == nil && !line.isIdle)
        line.finish("a")
        #expect(line.fail("b") == .leave)
        line.resume("b")
        #expect(line.isIdle && line.count == 0 && line.next() == nil)
    }

    @Test("A file of one project waits for none of another's but the one under way")
    func turns() {
        var line = line()
        for number in 1...9 { line.add("dear \(number)", of: "a") }
        #expect(line.next() == "dear 1")
        line.add("innocent", of: "b")
        line.finish("dear 1")
        // Whose turn comes after one's own is the other's, however long the line.
        #expect(line.next() == "dear 2")
        line.finish("dear 2")
        #expect(line.next() == "innocent")
    }

    @Test("One project leaves a place to the others, and files of two projects are checked at the same time")
    func lastPlace() {
        var line = line(places: 2)
        for number in 1...3 { line.add("dear \(number)", of: "a") }
        #expect([line.next(), line.next()] == ["dear 1", nil])
        line.add("innocent", of: "b")
        #expect([line.next(), line.next()] == ["innocent", nil])
        line.finish("innocent")
        #expect(line.next() == nil)
        line.finish("dear 1")
        #expect(line.next() == "dear 2")
    }

    @Test("A file that two projects brought is checked once, at the turn of the one that comes first")
    func twoOwners() {
        var line = line()
        for number in 1...3 { line.add("dear \(number)", of: "a") }
        line.add("shared", of: "a")
        line.add("shared", of: "b")
        #expect(line.count == 4)
        #expect(line.next() == "dear 1")
        line.finish("dear 1")
        #expect(line.next() == "shared")
        line.finish("shared")
        for name in ["dear 2", "dear 3"] {
            #expect(line.next() == name)
            line.finish(name)
        }
        #expect(line.next() == nil && line.count == 0 && line.isIdle)
    }

    @Test("At least one place, whatever the limit says", arguments: [0, -1, Int.min])
    func places(count: Int) {
        var line = line(places: count)
        line.add("a", of: "p")
        #expect(line.next() == "a")
    }
}

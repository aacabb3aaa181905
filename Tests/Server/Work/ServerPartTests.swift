import HearthTestSupport
import HearthWork
import Synchronization
import Testing

@Suite("Parts of a server") struct ServerPartTests {
    private struct Failure: Error, CustomStringConvertible {
        let description = "no port"
    }

    /// What happened, in order.
    private final class Events: Sendable {
        private let all = Mutex<[String]>([])
        var list: [String] { all.withLock { $0 } }
        func add(_ event: String) { all.withLock { $0.append(event) } }
    }

    private let events = Events()

    private func part(
        _ name: String, failsToStart: Bool = false, failsToFinish: Bool = false,
        stop: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil
    ) -> ServerPart {
        ServerPart(
            name,
            start: { [events] in
                events.add("start \(name)")
                if failsToStart { throw Failure() }
            },
            stop: { [events] done in
                events.add("stop \(name)")
                guard let stop else { return done() }
                stop(done)
            },
            finish: { [events] in
                events.add("finish \(name)")
                if failsToFinish { throw Failure() }
            })
    }

    @Test("They start, stop and finish in one order, and all are told to stop before the first one has")
    func order() throws {
        // The first part stops only after the last one was told to.
        let waiting = Mutex<(@Sendable () -> Void)?>(nil)
        let parts = ServerParts([
            part("a", stop: { done in waiting.withLock { $0 = done } }), part("b"),
            part(
                "c",
                stop: { [events] done in
                    done()
                    events.add("a has stopped")
                    waiting.withLock { $0 }?()
                }),
        ])
        try parts.start()
        parts.stop()
        parts.finish { Issue.record("\($0)") }
        #expect(
            events.list == [
                "start a", "start b", "start c", "stop a", "stop b", "stop c", "a has stopped", "finish a", "finish b",
                "finish c",
            ])
    }

    @Test("If a part does not start, those after it do not either, and all stop")
    func failingStart() {
        let parts = ServerParts([part("a"), part("b", failsToStart: true), part("c")])
        #expect(throws: Failure.self) { try parts.start() }
        #expect(events.list == ["start a", "start b", "stop a", "stop b", "stop c"])
    }

    @Test("A part that cannot store what it has keeps the others from nothing")
    func failingFinish() {
        let lines = Events()
        ServerParts([part("a", failsToFinish: true), part("b")]).finish { lines.add($0) }
        #expect(events.list == ["finish a", "finish b"])
        #expect(lines.list == ["a: no port"])
    }

    @Test("A periodic part says what its start and its end found, and runs no more after its stop")
    func periodic() throws {
        let rounds = Events()
        let log = PartLog(note: { [events] in events.add($0) }, failure: { [events] in events.add("! \($0)") })
        let parts = ServerParts([
            .periodic(
                "clock", everySeconds: 3600, log, afterPause: true, begin: { ["begun"] }, finish: { ["finished"] },
                work: {
                    rounds.add("round")
                    return []
                })
        ])
        try parts.start()
        parts.stop()
        parts.finish { Issue.record("\($0)") }
        #expect(events.list == ["! begun", "! finished"])
        #expect(rounds.list == [])
    }
}

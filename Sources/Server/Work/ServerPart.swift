import Dispatch

/// Something that a server starts with itself and stops with itself: a queue of work, a periodic task, what listens.
package struct ServerPart: Sendable {
    /// Names it in messages.
    let name: String
    private let onStart: @Sendable () throws -> Void
    private let onStop: @Sendable (_ done: @escaping @Sendable () -> Void) -> Void
    private let onFinish: @Sendable () throws -> Void

    /// - Parameters:
    ///   - start: begins the work. Called once.
    ///   - stop: begins nothing more, waits for nothing, and calls back, on any thread, when nothing runs any more. It may be
    ///     called without a start, and again.
    ///   - finish: stores what is only in memory. Called once, when all parts have stopped.
    package init(
        _ name: String, start: @escaping @Sendable () throws -> Void = {},
        stop: @escaping @Sendable (_ done: @escaping @Sendable () -> Void) -> Void = { $0() },
        finish: @escaping @Sendable () throws -> Void = {}
    ) {
        self.name = name
        onStart = start
        onStop = stop
        onFinish = finish
    }

    fileprivate func start() throws { try onStart() }
    fileprivate func stop(_ done: @escaping @Sendable () -> Void) { onStop(done) }
    fileprivate func finish() throws { try onFinish() }
}

/// The parts of a server, in the order in which they start.
package struct ServerParts: Sendable {
    private let parts: [ServerPart]

    package init(_ parts: [ServerPart]) { self.parts = parts }

    /// Starts all parts, one after the other. If one fails, all stop.
    package func start() throws {
        do {
            for part in parts { try part.start() }
        } catch {
            stop()
            throw error
        }
    }

    /// Tells all parts to stop, in the order of their start, and returns when all have. Some have something to stop before
    /// their start, such as a port that is bound.
    package func stop() {
        let running = DispatchGroup()
        for part in parts {
            running.enter()
            part.stop { running.leave() }
        }
        running.wait()
    }

    /// Lets each part store what is only in memory. Call it after `stop`.
    ///
    /// - Parameter failure: gets one line for each part that could not.
    package func finish(failure: (String) -> Void) {
        for part in parts {
            do {
                try part.finish()
            } catch {
                failure("\(part.name): \(error)")
            }
        }
    }
}

/// Where the parts of a server say what they do, one line each. Safe to call from any thread.
package struct PartLog: Sendable {
    /// Something that was done.
    package let note: @Sendable (String) -> Void
    /// Something that failed, or that an operator should know.
    package let failure: @Sendable (String) -> Void

    package init(note: @escaping @Sendable (String) -> Void, failure: @escaping @Sendable (String) -> Void) {
        self.note = note
        self.failure = failure
    }
}

extension ServerPart {
    /// Work that runs at the start and then periodically, in one round at a time.
    ///
    /// - Parameters:
    ///   - name: the beginning of a failure's line.
    ///   - seconds: from the end of one round to the next.
    ///   - afterPause: whether the first round waits so long, too.
    ///   - isDue: false while another server does this, or while it cannot be done; asked before each round.
    ///   - begin: comes before the first round and before the next part starts. Its lines are failures.
    ///   - finish: as in `init`. Its lines are failures.
    ///   - work: one round; returns what it did, in lines.
    package static func periodic(
        _ name: String, everySeconds seconds: Double, _ log: PartLog, afterPause: Bool = false,
        isDue: @escaping @Sendable () -> Bool = { true },
        begin: @escaping @Sendable () throws -> [String] = { [] },
        finish: @escaping @Sendable () throws -> [String] = { [] }, work: @escaping @Sendable () throws -> [String]
    ) -> ServerPart {
        let scheduler = DispatchScheduler(label: "app.hearth.\(name.replacing(" ", with: "-"))")
        let task = PeriodicTask(
            name, scheduler: scheduler, pauseSeconds: seconds, note: log.note, failure: log.failure, isDue: isDue,
            work: work)
        return task.part(name, log, afterPause: afterPause, begin: begin, finish: finish)
    }
}

extension PeriodicTask {
    /// This task as a part of a server.
    package func part(
        _ name: String, _ log: PartLog, afterPause: Bool = false,
        begin: @escaping @Sendable () throws -> [String] = { [] },
        finish: @escaping @Sendable () throws -> [String] = { [] }
    ) -> ServerPart {
        ServerPart(
            name,
            start: {
                for line in try begin() { log.failure(line) }
                self.start(afterPause: afterPause)
            },
            stop: { self.stop($0) },
            finish: { for line in try finish() { log.failure(line) } })
    }
}

import HearthCatalog
import HearthConcurrency
import HearthIdentity
import HearthStorage
import HearthWire

/// Watches the clocks: marks keys and tokens whose planned end has passed as ended, stores the clocks, and reports when
/// the time of day jumps.
package final class ExpiryMonitor: Sendable {
    /// What the monitor knows between two ticks.
    private struct State {
        /// The revision of the records from which `ends` was read.
        var revision: UInt64?
        var ends = PlannedExpirations()
        /// The last failure. A full disk stays full for a while, so the same failure is reported once.
        var failure: String?
    }

    private let metadata: any MetadataStore
    private let clock: ServerClock
    private let state = Lock(State())

    init(_ metadata: any MetadataStore, _ clock: ServerClock) {
        self.metadata = metadata
        self.clock = clock
    }

    /// Continues from the clocks that were stored when the server last ran.
    ///
    /// - Returns: messages for the operator.
    package func begin() throws -> [String] {
        let (mark, newest) = try metadata.read { store in
            (try store.clockMark(), try store.audit(project: nil, before: nil, limit: 1).first?.atMicroseconds)
        }
        // A database of an older Hearth has no checkpoint.
        let known = mark ?? newest.map { ClockCheckpoint(passedMicroseconds: $0, signedMicroseconds: $0) }
        clock.begin(known)
        let now = clock.moment.wallMicroseconds
        let latest = max(known?.passedMicroseconds ?? now, newest ?? now)
        let isBehind = latest.subtractingReportingOverflow(now).partialValue > ClockMonitor.jumpSeconds * 1_000_000
        return (isBehind ? [Self.behind(now, latest)] : []) + tick()
    }

    /// To be called about once a second, by one thread at a time.
    ///
    /// - Returns: messages for the operator.
    package func tick(isLast: Bool = false) -> [String] {
        let (jump, failure) = clock.look(isLast: isLast) { passed, steady, isBelieved, mark in
            try write(passed, steady, isBelieved, mark)
        }
        let text = failure.map { "The clock: \($0)" }
        let isNew = state.withLock { state in
            defer { state.failure = text }
            return state.failure != text
        }
        return [jump.map(Self.text), isNew ? text : nil].compactMap { $0 }
    }

    private func write(_ passed: Int64, _ steady: Int64, _ isBelieved: Bool, _ mark: ClockCheckpoint?) throws {
        try refreshPlannedEnds(isBelieved: isBelieved)
        let ended = state.withLock { state in
            if isBelieved { state.ends.measure(at: clock.moment) }
            return state.ends.passed(byMicroseconds: passed, monotonicMicroseconds: steady)
        }
        guard !ended.isEmpty || mark != nil else { return }
        try metadata.write { store in
            if !ended.isEmpty { try Self.markEnded(ended, store) }
            if let mark { try store.put(mark.keeping(isShared ? store.clockMark() : nil)) }
        }
    }

    /// Whether other servers store their clocks too.
    private var isShared: Bool { metadata.coordination.isShared }

    /// Reads the planned ends again if the records have changed. Call it right after planning an end: the time until
    /// then is known for sure only while the clock is not set.
    ///
    /// - Parameter isBelieved: whether the time of day is trusted. A time of day that is not trusted does not measure
    ///   ends that were planned before the start.
    package func refreshPlannedEnds(isBelieved: Bool = true) throws {
        // Read before the records, so that the next call sees what is committed in between.
        let revision = metadata.servingRevision
        guard state.withLock({ $0.revision }) != revision else { return }
        let ends = try metadata.readServed { store in
            let keys = try store.apiKeys().map { (Self.name($0), $0 as any RevocableRecord) }
            let tokens = try store.adminTokens().map { (Self.name($0), $0 as any RevocableRecord) }
            return (keys + tokens).compactMap { name, record in
                record.hasEnded ? nil : record.endsMicroseconds.map { (name, $0) }
            }
        }
        state.withLock { state in
            // Another thread read later and finished first.
            if let newest = state.revision, newest > revision { return }
            let isFirst = state.revision == nil
            state.ends.update(
                Dictionary(ends, uniquingKeysWith: min), at: clock.moment, isSure: isBelieved || !isFirst)
            state.revision = revision
        }
    }

    /// Marks these keys and tokens as ended. The keys of service accounts have no planned ends.
    private static func markEnded(_ ended: Set<String>, _ store: any MetadataWriter) throws {
        for var key in try store.apiKeys() where ended.contains(name(key)) {
            key.hasEnded = true
            try store.update(key)
        }
        for var token in try store.adminTokens() where ended.contains(name(token)) {
            token.hasEnded = true
            try store.update(token)
        }
    }

    private static func name(_ key: APIKey) -> String { "key \(key.id)" }
    private static func name(_ token: AdminToken) -> String { "token \(token.id)" }

    private static func text(_ jump: ClockMonitor.Jump) -> String {
        let seconds = (jump.toMicroseconds.subtractingReportingOverflow(jump.fromMicroseconds).partialValue) / 1_000_000
        let direction = seconds < 0 ? "back" : "ahead"
        return """
            The machine's clock was set \(direction) by \(abs(seconds)) s, from \(WireTime.text(jump.fromMicroseconds)) to \
            \(WireTime.text(jump.toMicroseconds)). If that was not meant, set it right: rollouts, planned ends and maintenance \
            follow it. Keys and tokens that have ended stay ended.
            """
    }

    private static func behind(_ now: Int64, _ latest: Int64) -> String {
        """
        The machine's clock says \(WireTime.text(now)), which is before \(WireTime.text(latest)), when the data folder was \
        changed last. Set the clock right: new records get wrong times, and rollouts are where they were then. Keys and \
        tokens that have ended stay ended. If the clock is right now and was ahead before, you need to do nothing.
        """
    }
}

extension ClockCheckpoint {
    /// Clocks of several servers differ by less. One that was further ahead was wrong.
    private static let largestDifference: Int64 = 86_400_000_000

    /// The later of the clocks of this server and of another one, so that a server whose clock is behind hides nothing
    /// from those that start later.
    fileprivate func keeping(_ stored: ClockCheckpoint?) -> ClockCheckpoint {
        func later(_ own: Int64, _ other: Int64) -> Int64 {
            let difference = other.subtractingReportingOverflow(own)
            return !difference.overflow && (0...Self.largestDifference).contains(difference.partialValue) ? other : own
        }
        guard let stored else { return self }
        return ClockCheckpoint(
            passedMicroseconds: later(passedMicroseconds, stored.passedMicroseconds),
            signedMicroseconds: later(signedMicroseconds, stored.signedMicroseconds))
    }
}

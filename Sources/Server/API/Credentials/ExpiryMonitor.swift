import HearthCatalog
import HearthIdentity
import HearthStorage
import HearthWire
import Synchronization

/// Looks after the clocks: makes facts of planned ends that have passed, writes the clocks down, and tells of jumps.
final class ExpiryMonitor: Sendable {
    private struct State {
        /// The revision of the records that `ends` is of.
        var revision: UInt64?
        var ends = PlannedExpirations()
        /// A disk that is full stays so for a while: that is told once.
        var failure: String?
    }

    private let metadata: any MetadataStore
    private let clock: ServerClock
    private let state = Mutex(State())

    init(_ metadata: any MetadataStore, _ clock: ServerClock) {
        self.metadata = metadata
        self.clock = clock
    }

    /// Goes on from what was written down when the server ran last.
    ///
    /// - Returns: what an operator has to know.
    func begin() throws -> [String] {
        let (mark, newest) = try metadata.read { store in
            (try store.clockMark(), try store.audit(project: nil, before: nil, limit: 1).first?.atMicroseconds)
        }
        // A database of an older Hearth has no mark.
        let known = mark ?? newest.map { ClockCheckpoint(passedMicroseconds: $0, signedMicroseconds: $0) }
        clock.begin(known)
        let now = clock.moment.wallMicroseconds
        let latest = max(known?.passedMicroseconds ?? now, newest ?? now)
        let isBehind = latest.subtractingReportingOverflow(now).partialValue > ClockMonitor.jumpSeconds * 1_000_000
        return (isBehind ? [Self.behind(now, latest)] : []) + tick()
    }

    /// To be called every second or so, by one thread at a time.
    ///
    /// - Returns: what an operator has to know.
    func tick(isLast: Bool = false) -> [String] {
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
            if let mark { try store.put(mark) }
        }
    }

    /// Sees which ends are planned, if the records have changed. At once after one was planned: how much time is left until
    /// then is known for sure only as long as the clock is not set.
    ///
    /// - Parameter isBelieved: whether the time of day is; what is planned from before the start is not measured by another.
    func refreshPlannedEnds(isBelieved: Bool = true) throws {
        // Before the read: what is committed in between is looked at again the next time.
        let revision = metadata.servingRevision
        guard state.withLock({ $0.revision }) != revision else { return }
        let ends = try metadata.read { store in
            let keys = try store.apiKeys().map { (Self.name($0), $0 as any RevocableRecord) }
            let tokens = try store.adminTokens().map { (Self.name($0), $0 as any RevocableRecord) }
            return (keys + tokens).compactMap { name, record in
                record.hasEnded ? nil : record.endsMicroseconds.map { (name, $0) }
            }
        }
        state.withLock { state in
            // Somebody who looked later was faster.
            if let newest = state.revision, newest > revision { return }
            let isFirst = state.revision == nil
            state.ends.update(
                Dictionary(ends, uniquingKeysWith: min), at: clock.moment, isSure: isBelieved || !isFirst)
            state.revision = revision
        }
    }

    /// The keys of accounts have no planned ends.
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
            \(WireTime.text(jump.toMicroseconds)). If that was not meant, set it right: rollouts, planned ends and clean-ups \
            go by it. What had ended stays ended.
            """
    }

    private static func behind(_ now: Int64, _ latest: Int64) -> String {
        """
        The machine's clock says \(WireTime.text(now)), which is before \(WireTime.text(latest)), when the data folder was \
        changed last. Set the clock right: new records get wrong times, and rollouts stand where they stood then. What had \
        ended stays ended. If the clock is right now and was ahead before, nothing has to be done.
        """
    }
}

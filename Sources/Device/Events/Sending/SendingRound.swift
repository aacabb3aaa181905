import HearthApp
import HearthFiles
import HearthTransport
import HearthWire

/// Hands what waits to the server, oldest first, until nothing is left or something goes wrong. One thread; blocks.
///
/// A batch is one segment, and goes when the server has it. When this process is killed in between, the next one sends it
/// again, and the server knows its numbers.
struct SendingRound {
    /// Of the segment that this process writes.
    private let writer: EventWriter
    private let call: EventCall
    private let permission: CollectionPermission

    private var identity: InstallationIdentity?
    private var hasRenewedToken = false

    init(_ writer: EventWriter, _ call: EventCall, permission: CollectionPermission) {
        self.writer = writer
        self.call = call
        self.permission = permission
    }

    private var folder: JournalFolder { writer.folder }

    mutating func run() throws(EventsError) {
        let lock = try takeLock()
        defer { withExtendedLifetime(lock) {} }
        try sendSealed()
        // Only now, so that a server that cannot be reached does not leave many small segments.
        writer.seal()
        try sendSealed()
    }

    /// Of two senders, one could overtake the other, and the server takes no number after a higher one.
    private func takeLock() throws(EventsError) -> FileLock {
        do throws(FileError) {
            try folder.files.makeFolder(folder.path, mode: 0o700)
            if let lock = try FileLock.tryAcquire(folder.lockPath) { return lock }
        } catch {
            throw EventsError(.storage, error.message)
        }
        throw EventsError(.busy, "Another program of this app is sending events; try again later.")
    }

    private mutating func sendSealed() throws(EventsError) {
        for name in try mapped({ () throws(FileError) in try folder.sealed() }) { try send(name) }
    }

    private mutating func send(_ name: SegmentName) throws(EventsError) {
        guard let segment = try mapped({ () throws(FileError) in try folder.read(name) }) else { return }
        if !segment.items.isEmpty { try send(segment) }
        if segment.isDamaged {
            AppLog.analytics.error(
                "I-ACS013000",
                "A file of events is damaged: what was readable is sent, the rest is dropped. \(name.fileName)")
            writer.forgetReportedExposures()
        }
        try mapped { () throws(FileError) in try folder.remove(name) }
    }

    /// Returns when the segment need not be kept any more.
    private mutating func send(_ segment: Segment) throws(EventsError) {
        while true {
            let identity = try currentIdentity()
            guard identity.id == segment.name.installation else {
                return log(segment, "they belong to an installation that was deleted")
            }
            guard try isStillSendable(segment) else { return }
            let response = try call.send(segment.batch, as: identity)
            switch SendingRules.verdict(response, last: segment.last) {
            case .accepted: return
            case .drop(let reason):
                log(segment, "the server refuses them for good: \(reason)")
                return writer.forgetReportedExposures()
            case .renewToken where !hasRenewedToken:
                hasRenewedToken = true
                self.identity = nil
            case .renewToken:
                throw EventsError(.refused, "The server rejected the installation's token, and a renewed one.")
            case .later(let reason):
                let now = call.app.environment.clock.now()
                throw EventsError(
                    .refused, "The server did not accept the events; they will be sent later: \(reason)",
                    pauseSeconds: RetryAfter.seconds(in: response.headers, nowSeconds: now.seconds))
            }
        }
    }

    /// A token may take its time, in which the user may have changed their mind and what waits was erased.
    private func isStillSendable(_ segment: Segment) throws(EventsError) -> Bool {
        guard permission.isGranted else { return false }
        return try mapped { () throws(FileError) in try folder.files.size(folder.path(segment.name)) } != nil
    }

    private mutating func currentIdentity() throws(EventsError) -> InstallationIdentity {
        if let identity { return identity }
        let new = try call.identity(renewingToken: hasRenewedToken)
        identity = new
        return new
    }

    private func log(_ segment: Segment, _ reason: String) {
        AppLog.analytics.error("I-ACS013001", "\(segment.items.count) events are dropped: \(reason)")
    }

    private func mapped<Value>(_ body: () throws(FileError) -> Value) throws(EventsError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw EventsError(.storage, error.message)
        }
    }
}

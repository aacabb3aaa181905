import HearthApp
import HearthClient
import HearthFiles
import HearthTransport
import HearthWire

/// Sends all waiting segments to the server, oldest first, until none is left or one fails. One thread; blocks.
///
/// A batch is one segment, which is removed when the server has it. If this process is killed in between, the next one
/// sends the segment again, and the server recognizes its numbers.
struct SendingRound {
    /// Writes the segment of this process.
    private let writer: EventWriter
    private let call: EventCall
    private let permission: CollectionPermission

    init(_ writer: EventWriter, _ call: EventCall, permission: CollectionPermission) {
        self.writer = writer
        self.call = call
        self.permission = permission
    }

    private var folder: JournalFolder { writer.folder }

    func run() throws(EventsError) {
        let lock = try takeLock()
        defer { withExtendedLifetime(lock) {} }
        try sendSealed()
        // Only now, so that no small segments accumulate while the server cannot be reached.
        writer.seal()
        try sendSealed()
    }

    /// One of two senders could overtake the other, and the server accepts no number after a higher one.
    private func takeLock() throws(EventsError) -> FileLock {
        do throws(FileError) {
            try folder.files.makeFolder(folder.path, mode: 0o700)
            if let lock = try FileLock.tryAcquire(folder.lockPath) { return lock }
        } catch {
            throw EventsError(.storage, error.message, cause: error)
        }
        throw EventsError(.busy, "Another program of this app is sending events; try again later.")
    }

    private func sendSealed() throws(EventsError) {
        for name in try mapped({ () throws(FileError) in try folder.sealed() }) { try send(name) }
    }

    private func send(_ name: SegmentName) throws(EventsError) {
        guard let segment = try mapped({ () throws(FileError) in try folder.read(name) }) else { return }
        if !segment.items.isEmpty { try send(segment) }
        if segment.isDamaged {
            AppLog.analytics.error(
                "I-ACS013000",
                "A file of events is damaged: its readable part was sent, the other part is dropped. \(name.fileName)")
            writer.forgetReportedExposures()
        }
        try mapped { () throws(FileError) in try folder.remove(name) }
    }

    /// Sends a segment. Returns when it is not needed any more.
    private func send(_ segment: Segment) throws(EventsError) {
        let outcome = try call.send(segment.batch, of: segment.name.installation) { () throws(EventsError) in
            try isStillSendable(segment)
        }
        switch outcome {
        case .notSendable: return
        case .otherInstallation: log(segment, "they belong to an installation that was deleted")
        case .answered(let response): try take(response, segment)
        }
    }

    private func take(_ response: TransportResponse, _ segment: Segment) throws(EventsError) {
        switch SendingRules.verdict(response, last: segment.last) {
        case .accepted: return
        case .drop(let reason):
            log(segment, "the server refuses them for good: \(reason)")
            writer.forgetReportedExposures()
        case .tokenRefused:
            throw EventsError(.refused, "The server rejected the installation's token, and a renewed one.")
        case .later(let reason):
            throw EventsError(
                .refused, "The server did not accept the events; they will be sent later: \(reason)",
                pauseSeconds: response.retryAfterSeconds(now: call.app.environment.clock.now()))
        }
    }

    /// While the token was requested, the user may have disabled collecting, and the events may have been erased.
    private func isStillSendable(_ segment: Segment) throws(EventsError) -> Bool {
        guard permission.isGranted else { return false }
        return try mapped { () throws(FileError) in try folder.files.size(folder.path(segment.name)) } != nil
    }

    private func log(_ segment: Segment, _ reason: String) {
        AppLog.analytics.error("I-ACS013001", "\(segment.items.count) events are dropped: \(reason)")
    }

    private func mapped<Value>(_ body: () throws(FileError) -> Value) throws(EventsError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw EventsError(.storage, error.message, cause: error)
        }
    }
}

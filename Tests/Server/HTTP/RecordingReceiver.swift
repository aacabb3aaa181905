import HearthHTTP

/// A receiver that counts, and records how it ended.
final class RecordingReceiver: BodyReceiver {
    enum Event: Equatable, Sendable {
        case received
        case finished(UInt64)
        case abandoned
    }

    let limitBytes: UInt64?
    private let events: Journal<Event>
    private let refuseAfter: UInt64
    private let reportsPieces: Bool
    private(set) var bytes: UInt64 = 0

    init(
        _ events: Journal<Event>, limitBytes: UInt64? = nil, refuseAfter: UInt64 = .max, reportsPieces: Bool = false
    ) {
        self.events = events
        self.limitBytes = limitBytes
        self.refuseAfter = refuseAfter
        self.reportsPieces = reportsPieces
    }

    func receive(_ piece: UnsafeRawBufferPointer) throws(RequestRefusal) {
        bytes += UInt64(piece.count)
        if reportsPieces { events.add(.received) }
        if bytes > refuseAfter { throw RequestRefusal(.text("no more", status: 409)) }
    }

    func finish() -> Outcome {
        events.add(.finished(bytes))
        return .respond(.text("\(bytes)"))
    }

    func abandon() { events.add(.abandoned) }
}

/// Passes a body to its receiver: counts the bytes, enforces the limit, and ends the receiver exactly once.
final class IncomingBody {
    private let receiver: any BodyReceiver
    private let announced: UInt64?
    private let limitBytes: UInt64
    private var received: UInt64 = 0
    private var isOver = false

    /// - Parameter announced: the length of the body; `nil` if it is not announced.
    init(_ receiver: any BodyReceiver, announced: UInt64?, limitBytes: UInt64) {
        self.receiver = receiver
        self.announced = announced
        self.limitBytes = limitBytes
    }

    /// The refusal, if the announced length is above the limit.
    var refusalOfAnnouncement: HTTPFault? {
        if let announced, announced > limitBytes { .bodyTooLarge(limitBytes: limitBytes) } else { nil }
    }

    /// Whether all announced bytes have arrived.
    var isComplete: Bool { received == announced }

    /// Passes the next bytes on. A refusal abandons the receiver.
    func receive(_ bytes: UnsafeRawBufferPointer, errors: ErrorRenderer) throws(RequestRefusal) {
        received += UInt64(bytes.count)
        do throws(RequestRefusal) {
            guard received <= limitBytes else {
                throw RequestRefusal(errors(.bodyTooLarge(limitBytes: limitBytes)))
            }
            try receiver.receive(bytes)
        } catch {
            abandon()
            throw error
        }
    }

    func finish() -> Outcome {
        isOver = true
        return receiver.finish()
    }

    /// Has no effect on a body that has ended.
    func abandon() {
        guard !isOver else { return }
        isOver = true
        receiver.abandon()
    }
}

/// Collects a body in memory for `RequestPlan.buffered`.
final class BodyBuffer: BodyReceiver {
    let limitBytes: UInt64?
    private let head: RequestHead
    private let handle: @Sendable (RequestHead, [UInt8]) -> Outcome
    private var bytes: [UInt8] = []

    init(head: RequestHead, limitBytes: Int, handle: @escaping @Sendable (RequestHead, [UInt8]) -> Outcome) {
        self.head = head
        self.limitBytes = UInt64(clamping: limitBytes)
        self.handle = handle
    }

    func receive(_ chunk: UnsafeRawBufferPointer) {
        // Grows with the bytes that arrive. An announced length reserves no memory, because any peer can claim any
        // length.
        bytes.append(contentsOf: chunk)
    }

    func finish() -> Outcome { handle(head, bytes) }

    func abandon() { bytes = [] }
}

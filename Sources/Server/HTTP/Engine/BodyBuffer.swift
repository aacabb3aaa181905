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
        // Grows with what arrives: an announced length is a stranger's claim and reserves nothing.
        bytes.append(contentsOf: chunk)
    }

    func finish() -> Outcome { handle(head, bytes) }

    func abandon() { bytes = [] }
}

internal import Dispatch
internal import Glibc
internal import Synchronization

/// Reads and discards, for a limited time, what a refused peer still sends.
///
/// Closing a socket with unread data resets the connection, and the reset may overtake the answer: the peer would see a
/// broken connection in place of its 413. So a second descriptor keeps the socket open until the peer closes it or the
/// time is over.
final class LingeringClose: Sendable {
    /// Beyond this number, connections are closed at once, so that refusals do not use up the descriptors.
    private static let maximum = 256

    private let seconds: Double
    private let queue = DispatchQueue(label: "hearth.http.lingering")
    private let count = Atomic<Int>(0)

    init(seconds: Double) { self.seconds = seconds }

    /// Takes ownership of `socket`, which must be non-blocking.
    func adopt(_ socket: Int32) {
        guard seconds > 0, count.wrappingAdd(1, ordering: .relaxed).newValue <= Self.maximum else {
            if seconds > 0 { count.wrappingSubtract(1, ordering: .relaxed) }
            close(socket)
            return
        }
        let reader = Reader(source: DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue))
        reader.source.setEventHandler { if Self.drain(socket) == .ended { reader.source.cancel() } }
        reader.source.setCancelHandler { [self] in
            close(socket)
            count.wrappingSubtract(1, ordering: .relaxed)
        }
        reader.source.activate()
        queue.asyncAfter(deadline: .now() + seconds) { reader.source.cancel() }
    }

    /// `@unchecked Sendable`: once it is active, only blocks on the serial `queue` touch the source.
    private struct Reader: @unchecked Sendable {
        let source: any DispatchSourceRead
    }

    private enum Peer { case sending, ended }

    private static func drain(_ socket: Int32) -> Peer {
        withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 16) { buffer in
            let received = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if received > 0 { return .sending }
            return received < 0 && [EAGAIN, EINTR].contains(errno) ? .sending : .ended
        }
    }
}

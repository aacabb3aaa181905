/// The body of an answer that goes on: whoever keeps this writes pieces from any thread, until there is no more to say or
/// the peer has gone.
///
/// No thread is held meanwhile. Dropped without an end, it ends, so a lost stream never leaves a peer waiting.
public final class ResponseStream: Sendable {
    /// Bytes that may wait for a peer that reads slower than they are written. One that lets more pile up is cut off.
    public static let limitBytes = 64 * 1024

    private let body: StreamedBody

    init(_ body: StreamedBody) { self.body = body }

    deinit { body.end() }

    /// Sends a piece, in a chunk of its own where it is not longer than the connection's buffer (a few KiB).
    ///
    /// - Returns: `false`, and nothing is sent, where the stream has ended, the peer has gone, or was cut off now because
    ///   it does not read.
    @discardableResult
    public func write(_ piece: [UInt8]) -> Bool { body.write(piece) }

    /// Ends the body behind what was written. No effect the second time.
    public func end() { body.end() }

    /// Calls `action` once when the connection is done with the stream, for whatever reason: the end was sent, the peer has
    /// gone, the server stops. On one of the server's threads, or at once where that is past; it must return soon. A second
    /// action takes the place of the first.
    public func whenOver(_ action: @escaping @Sendable () -> Void) { body.whenOver(action) }
}

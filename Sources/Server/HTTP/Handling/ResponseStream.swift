/// The body of a streamed answer. Its owner writes pieces from any thread, until the answer ends or the peer
/// disconnects.
///
/// No thread waits meanwhile. If it is released without an end, it ends, so that no peer waits for ever.
package final class ResponseStream: Sendable {
    /// How many bytes may wait for a peer that reads more slowly than they are written. The connection of a slower peer
    /// is closed.
    package static let limitBytes = 64 * 1024

    private let body: StreamedBody

    init(_ body: StreamedBody) { self.body = body }

    deinit { body.end() }

    /// Sends a piece, in one chunk if the piece fits into the connection's buffer (a few KiB).
    ///
    /// - Returns: `false`, and sends nothing, if the stream has ended, the peer has disconnected, or this call closed
    ///   the connection of a peer that does not read.
    @discardableResult
    package func write(_ piece: [UInt8]) -> Bool { body.write(piece) }

    /// Ends the body after the written pieces. A second call has no effect.
    package func end() { body.end() }

    /// Calls `action` once when the connection has finished with the stream, for whatever reason: the end was sent, the
    /// peer disconnected, the server stops. The call comes on one of the server's threads, or at once if the stream is
    /// finished already; it must return soon. A second action replaces the first.
    package func onClose(_ action: @escaping @Sendable () -> Void) { body.onClose(action) }
}

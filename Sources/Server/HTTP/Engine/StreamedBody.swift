internal import Glibc
import HearthConcurrency

/// Connects a connection that sends an answer piece by piece with the callers that write the pieces. A connection with
/// nothing to send is suspended, and the next piece wakes it.
final class StreamedBody: Sendable {
    /// What the connection does next.
    enum Step: Equatable {
        /// Send this many bytes.
        case send(Int)
        /// Send nothing: the connection is suspended.
        case wait
        case end
        /// Close the connection without an end.
        case close
    }

    /// How far the stream has come.
    private enum Phase { case open, ending, cut, over }

    /// What the stream's lock protects.
    private struct State {
        var pieces = PieceQueue()
        var phase = Phase.open
        var isSuspended = false
        var sentBytes: UInt64 = 0
        var onClose: (@Sendable () -> Void)?

        /// Whether the caller must resume the connection. Only one caller gets true.
        mutating func wakes() -> Bool {
            defer { isSuspended = false }
            return isSuspended
        }
    }

    private let connection: any StreamedConnection
    private let state = Lock(State())

    init(_ connection: any StreamedConnection) { self.connection = connection }

    /// Bytes that the connection has taken.
    var sentBytes: UInt64 { state.withLock { $0.sentBytes } }

    func write(_ piece: [UInt8]) -> Bool {
        let (isTaken, wakes) = state.withLock { state in
            guard state.phase == .open else { return (false, false) }
            guard piece.count <= ResponseStream.limitBytes - state.pieces.bytes else {
                return (false, cut(&state))
            }
            state.pieces.append(piece)
            return (true, state.wakes())
        }
        // Outside the lock, because it takes a lock of libmicrohttpd's. A suspended connection cannot disappear before
        // this call.
        if wakes { connection.resume() }
        return isTaken
    }

    /// Ends the stream. Pieces written before are still sent.
    func end() {
        let wakes = state.withLock { state in
            guard state.phase == .open else { return false }
            state.phase = .ending
            return state.wakes()
        }
        if wakes { connection.resume() }
    }

    /// Ends the connection, and discards what was not sent.
    func cut() {
        let wakes = state.withLock { state in
            switch state.phase {
            case .open, .ending: cut(&state)
            case .cut, .over: false
            }
        }
        if wakes { connection.resume() }
    }

    /// Call it under the lock. So it runs before the connection's socket can be closed, because `finish` comes first.
    private func cut(_ state: inout State) -> Bool {
        state.phase = .cut
        state.pieces = PieceQueue()
        // A connection that is blocked in a send would notice nothing else.
        connection.hangUp()
        return state.wakes()
    }

    func onClose(_ action: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if state.phase != .over { state.onClose = action }
            return state.phase == .over
        }
        if isOver { action() }
    }

    /// Called by the connection for the next bytes, on its thread.
    func next(into buffer: UnsafeMutableRawBufferPointer) -> Step {
        state.withLock { state in
            guard state.phase == .open || state.phase == .ending else { return .close }
            let count = state.pieces.read(into: buffer)
            state.sentBytes += UInt64(count)
            if count > 0 { return .send(count) }
            guard state.phase == .open else { return .end }
            // Under the lock, so that the next writer finds the connection suspended.
            connection.suspend()
            state.isSuspended = true
            return .wait
        }
    }

    /// Called when the connection reads no more.
    func finish() {
        let action = state.withLock { state in
            defer { state.onClose = nil }
            state.phase = .over
            state.pieces = PieceQueue()
            return state.onClose
        }
        action?()
    }
}

/// Pieces in the order of their writing. One read never continues past the end of a piece.
struct PieceQueue {
    /// Bytes that wait.
    private(set) var bytes = 0
    private var pieces: [[UInt8]] = []
    /// The first piece that is not read completely.
    private var index = 0
    private var offset = 0

    mutating func append(_ piece: [UInt8]) {
        guard !piece.isEmpty else { return }
        pieces.append(piece)
        bytes += piece.count
    }

    /// The rest of the first piece, as much of it as fits; 0 if there is none.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard index < pieces.count else { return 0 }
        let rest = pieces[index][offset...].prefix(buffer.count)
        buffer.copyBytes(from: rest)
        bytes -= rest.count
        offset += rest.count
        if offset == pieces[index].count { advance() }
        return rest.count
    }

    private mutating func advance() {
        pieces[index] = []
        index += 1
        offset = 0
        // Rarely, so that many small pieces are not moved repeatedly.
        if index * 2 > pieces.count {
            pieces.removeFirst(index)
            index = 0
        }
    }
}

/// What a stream needs of a connection.
protocol StreamedConnection: Sendable {
    /// Stops reading more, on the connection's own thread, while the connection reads.
    func suspend()
    /// Starts reading again, from any thread; only while suspended.
    func resume()
    /// Ends the connection as if the peer had closed it, from any thread; only during a request.
    func hangUp()
}

/// A connection of libmicrohttpd that sends a stream.
struct StreamedSocket: StreamedConnection {
    let connection: Connection
    /// Read in advance, because libmicrohttpd returns it on the connection's own thread only.
    let socket: Int32

    func suspend() { connection.suspend() }

    func resume() { connection.resume() }

    func hangUp() { _ = shutdown(socket, Int32(SHUT_RDWR)) }
}

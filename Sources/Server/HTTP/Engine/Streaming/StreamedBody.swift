internal import Synchronization

/// The meeting point of a connection that sends an answer piece by piece and those who write it: a connection that has
/// nothing to send is suspended, and the next piece wakes it.
final class StreamedBody: Sendable {
    /// What the connection does next.
    enum Step: Equatable {
        /// Send this many bytes.
        case send(Int)
        /// Nothing: it is suspended.
        case wait
        case end
        /// Break off.
        case close
    }

    private enum Phase { case open, ending, cut, over }

    private struct State {
        var pieces = PieceQueue()
        var phase = Phase.open
        var isSuspended = false
        var sentBytes: UInt64 = 0
        var whenOver: (@Sendable () -> Void)?

        /// Whether the connection has to be resumed, by the one caller that is told so.
        mutating func wakes() -> Bool {
            defer { isSuspended = false }
            return isSuspended
        }
    }

    private let connection: any StreamedConnection
    private let state = Mutex(State())

    init(_ connection: any StreamedConnection) { self.connection = connection }

    /// Bytes that the connection took over.
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
        // Outside the lock, because it takes one of libmicrohttpd's; until this call a suspended connection cannot go away.
        if wakes { connection.resume() }
        return isTaken
    }

    /// What was written is still sent.
    func end() {
        let wakes = state.withLock { state in
            guard state.phase == .open else { return false }
            state.phase = .ending
            return state.wakes()
        }
        if wakes { connection.resume() }
    }

    /// Breaks the connection off, and throws away what was not sent.
    func cut() {
        let wakes = state.withLock { state in
            switch state.phase {
            case .open, .ending: cut(&state)
            case .cut, .over: false
            }
        }
        if wakes { connection.resume() }
    }

    /// Under the lock, and so before the connection's socket can be closed: `finish` comes first.
    private func cut(_ state: inout State) -> Bool {
        state.phase = .cut
        state.pieces = PieceQueue()
        // One that is stuck in a send would notice nothing else.
        connection.hangUp()
        return state.wakes()
    }

    func whenOver(_ action: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if state.phase != .over { state.whenOver = action }
            return state.phase == .over
        }
        if isOver { action() }
    }

    /// The connection asks for the next bytes, on its thread.
    func next(into buffer: UnsafeMutableRawBufferPointer) -> Step {
        state.withLock { state in
            guard state.phase == .open || state.phase == .ending else { return .close }
            let count = state.pieces.read(into: buffer)
            state.sentBytes += UInt64(count)
            if count > 0 { return .send(count) }
            guard state.phase == .open else { return .end }
            // Under the lock: who writes next finds it suspended.
            connection.suspend()
            state.isSuspended = true
            return .wait
        }
    }

    /// The connection is done with it, and asks no more.
    func finish() {
        let action = state.withLock { state in
            defer { state.whenOver = nil }
            state.phase = .over
            state.pieces = PieceQueue()
            return state.whenOver
        }
        action?()
    }
}

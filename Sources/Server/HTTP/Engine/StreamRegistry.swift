internal import Glibc
import HearthConcurrency

/// All streams of one server, so that a stop can end them.
final class StreamRegistry: Sendable {
    private struct State {
        var open: [ObjectIdentifier: StreamedBody] = [:]
        var isClosed = false
    }

    private let state = Lock(State())

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Adds a stream; ends it at once if the registry is closed.
    func add(_ body: StreamedBody) {
        let isClosed = state.withLock { state in
            state.open[ObjectIdentifier(body)] = body
            return state.isClosed
        }
        if isClosed { body.end() }
    }

    func remove(_ body: StreamedBody) {
        state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(body)) }
    }

    /// Ends all streams, including future ones.
    func close() {
        for body in closing() { body.end() }
    }

    /// Closes the connections of all streams whose peers do not even read the end.
    func cut() {
        for body in closing() { body.cut() }
    }

    private func closing() -> [StreamedBody] {
        state.withLock { state in
            state.isClosed = true
            return Array(state.open.values)
        }
    }
}

import Dispatch
import HearthAPI
import Synchronization
import Testing

@testable import HearthHTTP

/// A device's end of an answer that goes on: reads it piece by piece, as the connection would.
final class ListeningDevice: Sendable {
    let answer: Answer
    private let connection: Connection
    private let body: StreamedBody

    /// Suspended when there is nothing to send, and awake when there is.
    private final class Connection: StreamedConnection {
        private let isCut = Atomic<Bool>(false)
        private let woken = DispatchSemaphore(value: 0)

        var isHungUp: Bool { isCut.load(ordering: .relaxed) }

        func suspend() {}
        func resume() { woken.signal() }
        func hangUp() { isCut.store(true, ordering: .relaxed) }
        func wait() -> Bool { woken.wait(timeout: .now() + 60) == .success }
    }

    init(_ response: Response, _ start: (ResponseStream) -> Void) {
        answer = Answer(response, bodyBytesRead: 0)
        let connection = Connection()
        self.connection = connection
        body = StreamedBody(connection)
        start(ResponseStream(body))
    }

    /// The next piece, which another thread may write; nil where the stream has ended.
    func next() -> String? {
        while true {
            switch step() {
            case .piece(let text): return text
            case .end: return nil
            case .nothing: if !connection.wait() { return nil }
            }
        }
    }

    /// All that is there now; nothing is waited for.
    var pieces: [String] {
        var pieces: [String] = []
        while case .piece(let text) = step() { pieces.append(text) }
        return pieces
    }

    func leave() { body.finish() }

    private enum Event { case piece(String), nothing, end }

    private func step() -> Event {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            switch body.next(into: buffer) {
            case .send(let count): .piece(String(decoding: buffer.prefix(count), as: UTF8.self))
            case .wait: .nothing
            case .end, .close: .end
            }
        }
    }
}

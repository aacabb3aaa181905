import Dispatch
import HearthConcurrency
import HearthTransport

/// How many bytes of a file are here, and of how many. Called on the downloading thread. The number falls when a download
/// has to start over.
typealias ByteProgress = @Sendable (_ completed: UInt64, _ total: UInt64) -> Void

/// One download, from its start to the end of its thread.
final class DownloadJob: Sendable {
    let id: Int
    let name: String
    let conditions: DownloadConditions
    /// Thrown when nobody waits for it any more.
    let cancellation = Cancellation()
    let steps = Lock(ProgressThrottle())
    private let end = DispatchGroup()

    init(id: Int, name: String, conditions: DownloadConditions) {
        self.id = id
        self.name = name
        self.conditions = conditions
        end.enter()
    }

    var isCancelled: Bool { cancellation.isCancelled }

    func cancel() { cancellation.cancel() }

    func markEnded() { end.leave() }

    /// Blocks until the transfer's thread has let go of the model.
    func waitUntilEnded() { end.wait() }
}

/// What happens to a transfer, told in order.
enum DownloadEvent: Sendable {
    case started
    case received(fraction: Float)
    /// Nobody waits for it any more; its thread may still be ending.
    case abandoned
    /// Told of every transfer, the abandoned ones included, before its callers are answered.
    case ended(Result<CustomModel, DownloadFailure>)
}

/// Whoever asked for a transfer. Called on the hub's queue, one call at a time; must not block there.
struct DownloadCaller: Sendable {
    var progress: ByteProgress?
    /// Called once; no progress comes after it.
    let completion: @Sendable (Result<CustomModel, DownloadFailure>) -> Void
}

/// Thins out the progress of a transfer: about a hundred steps, however small the pieces are that arrive.
struct ProgressThrottle {
    private var last: Float?

    /// 0...1 when it is worth telling, else nil. Bytes that start anew, after the file changed on the server, show as a step
    /// back.
    mutating func step(completed: UInt64, total: UInt64) -> Float? {
        let fraction = total == 0 ? 1 : min(1, Float(Double(completed) / Double(total)))
        if let last {
            guard fraction != last, abs(fraction - last) >= 0.01 || fraction == 1 else { return nil }
        }
        last = fraction
        return fraction
    }
}

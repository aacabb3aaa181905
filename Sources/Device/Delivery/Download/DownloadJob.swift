import Dispatch
import HearthConcurrency
import HearthTransport

/// Reports how many bytes of a file have arrived, and how many it has. Called on the downloading thread. The first
/// number falls when a download has to start over.
typealias ByteProgress = @Sendable (_ completed: UInt64, _ total: UInt64) -> Void

/// One download, from its start to the end of its thread.
final class DownloadJob: Sendable {
    let id: Int
    let name: String
    let conditions: DownloadConditions
    /// Cancelled when no caller waits for the download any more.
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

    /// Blocks until the download's thread no longer uses the model's files.
    func waitUntilEnded() { end.wait() }
}

/// An event of a download. Events are reported in order.
enum DownloadEvent: Sendable {
    case started
    case received(fraction: Float)
    /// No caller waits for the download any more; its thread may still be ending.
    case abandoned
    /// Every download reports its end, including the abandoned ones, before its callers get the result.
    case ended(Result<CustomModel, DownloadFailure>)
}

/// A caller that waits for a download. Its closures are called on the coordinator's queue, one call at a time, and must
/// not block there.
struct DownloadCaller: Sendable {
    var progress: ByteProgress?
    /// Called once, after the last call of `progress`.
    let completion: @Sendable (Result<CustomModel, DownloadFailure>) -> Void
}

/// Reduces the progress of a download to about a hundred steps, no matter how small the received pieces are.
struct ProgressThrottle {
    private var last: Float?

    /// The fraction of the bytes, 0...1, when it should be reported, otherwise nil. When the download starts over,
    /// because the file changed on the server, the fraction falls.
    mutating func step(completed: UInt64, total: UInt64) -> Float? {
        let fraction = total == 0 ? 1 : min(1, Float(Double(completed) / Double(total)))
        if let last {
            guard fraction != last, abs(fraction - last) >= 0.01 || fraction == 1 else { return nil }
        }
        last = fraction
        return fraction
    }
}

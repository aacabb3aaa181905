import Dispatch
import HearthTransport
import Synchronization

/// One transfer, from its start to the end of its thread.
final class TransferJob: Sendable {
    let id: Int
    let name: String
    let conditions: TransferConditions
    /// Thrown when nobody waits for it any more.
    let cancellation = TransportCancellation()
    let steps = Mutex(ProgressSteps())
    private let end = DispatchGroup()

    init(id: Int, name: String, conditions: TransferConditions) {
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
enum TransferEvent: Sendable {
    case started
    case received(fraction: Float)
    /// Nobody waits for it any more; its thread may still be ending.
    case abandoned
    /// Told of every transfer, the abandoned ones included, before its callers are answered.
    case ended(Result<CustomModel, DownloadFailure>)
}

/// Whoever asked for a transfer. Called on the hub's queue, one call at a time; must not block there.
struct TransferCaller: Sendable {
    var progress: (@Sendable (_ completed: UInt64, _ total: UInt64) -> Void)?
    /// Called once; no progress comes after it.
    let completion: @Sendable (Result<CustomModel, DownloadFailure>) -> Void
}

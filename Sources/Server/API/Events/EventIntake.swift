import Dispatch
import HearthStorage
import HearthWire
import Synchronization

/// Counts what devices report. When many report at once they share transactions, so that the disk is waited for once for all
/// of them. Nobody is told that something is counted before it is on the disk.
final class EventIntake: Sendable {
    typealias Reply = @Sendable (Result<Int64, any Error>) -> Void

    private struct Order {
        let project: String
        let installation: String
        let batch: EventBodies.Batch
        let reply: Reply
    }

    /// Batches that may wait; whoever comes beyond tries again later.
    static let waitingLimit = 1000
    /// Of one transaction: publishers wait while it runs.
    private static let sharing = 100

    private let context: RouteContext
    private let waiting = Mutex<[Order]>([])
    private let queue = DispatchQueue(label: "app.hearth.events")

    init(_ context: RouteContext) { self.context = context }

    /// Replies, from another thread, with the highest number of the journal that is counted.
    func take(_ batch: EventBodies.Batch, project: String, installation: String, _ reply: @escaping Reply) {
        let order = Order(project: project, installation: installation, batch: batch, reply: reply)
        let place = waiting.withLock { orders in
            if orders.count < Self.waitingLimit { orders.append(order) } else { return Self.waitingLimit }
            return orders.count - 1
        }
        guard place < Self.waitingLimit else {
            var error = APIError(.unavailable, "Too many events wait to be counted; send them again later.")
            error.retryAfterSeconds = 30
            return reply(.failure(error))
        }
        if place == 0 { queue.async { self.writeAll() } }
    }

    private func writeAll() {
        while true {
            let orders = waiting.withLock { Array($0.prefix(Self.sharing)) }
            let counted = Result {
                try context.services.metadata.write { store in try orders.map { try count($0, store) } }
            }
            // They leave the line when they are done: whoever comes meanwhile must not start a second round beside this one.
            let isDone = waiting.withLock { waiting in
                waiting.removeFirst(orders.count)
                return waiting.isEmpty
            }
            for (index, order) in orders.enumerated() { order.reply(counted.map { $0[index] }) }
            if isDone { return }
        }
    }

    /// Nothing else is written meanwhile, so the snapshot is as old as the transaction.
    private func count(_ order: Order, _ store: any MetadataWriter) throws -> Int64 {
        guard let part = try context.serving.current().projects[order.project] else { return 0 }
        return try EventCounting(
            store: store, part: part, installation: order.installation, nowMicroseconds: context.nowMicroseconds
        ).count(order.batch)
    }
}

import Dispatch
import HearthCatalog
import HearthExperiments
import HearthStorage
import HearthWire
import Synchronization

/// Counts what devices report. When many report at once they share transactions, so that the disk is waited for once for all
/// of them. Nobody is told that something is counted before it is on the disk.
final class EventIntake: Sendable {
    typealias Reply = @Sendable (Result<Int64, any Error>) -> Void

    private struct Submission {
        let project: String
        let installation: String
        let batch: EventBodies.Batch
        let reply: Reply
    }

    /// Batches that may wait; whoever comes beyond tries again later.
    static let waitingLimit = 1000
    /// Of one transaction: publishers wait while it runs.
    private static let transactionLimit = 100

    private let context: RouteContext
    private let waiting = Mutex<[Submission]>([])
    private let queue = DispatchQueue(label: "app.hearth.events")

    init(_ context: RouteContext) { self.context = context }

    /// Replies, from another thread, with the highest number of the journal that is counted.
    func take(_ batch: EventBodies.Batch, project: String, installation: String, _ reply: @escaping Reply) {
        let order = Submission(project: project, installation: installation, batch: batch, reply: reply)
        let place = waiting.withLock { orders in
            if orders.count < Self.waitingLimit { orders.append(order) } else { return Self.waitingLimit }
            return orders.count - 1
        }
        guard place < Self.waitingLimit else {
            var error = APIError(.unavailable, "The event queue is full; send the batch again later.")
            error.retryAfterSeconds = 30
            return reply(.failure(error))
        }
        if place == 0 { queue.async { self.writeAll() } }
    }

    private func writeAll() {
        while true {
            let orders = waiting.withLock { Array($0.prefix(Self.transactionLimit)) }
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
    private func count(_ order: Submission, _ store: any MetadataWriter) throws -> Int64 {
        guard let part = try context.serving.current().projects[order.project] else { return 0 }
        return try EventCounting(
            store: store, part: part, installation: order.installation, nowMicroseconds: context.nowMicroseconds
        ).count(order.batch)
    }
}

/// Counts the items of one batch, in the transaction that also remembers how far the batch's journal is counted: all of it
/// is written or nothing, so that what comes again is known again.
struct EventCounting {
    /// Of an installation's journals, so many are remembered. A device sends them one after the other.
    static let journalLimit = 8
    /// Different events of a day, beyond which they are counted together: their names are the devices' choice.
    static let dayLimit = 500
    static let otherEvents = "other"

    let store: any MetadataWriter
    let part: ServingSnapshot.ProjectPart
    let installation: String
    let nowMicroseconds: Int64

    private struct Name: Hashable {
        let event: String
        let model: String
    }

    /// - Returns: the highest number that is counted now.
    func count(_ batch: EventBodies.Batch) throws -> Int64 {
        let project = part.project.id
        let last = try store.journal(batch.journal, installation: installation, project: project)?.last ?? 0
        let fresh = batch.items.filter { $0.sequence > last }
        guard let newest = fresh.last?.sequence else { return last }
        var units = try Units(self)
        var day: [Name: MetricTotal] = [:]
        for item in fresh {
            if let exposure = item.exposure { try units.expose(exposure) }
            guard let event = item.event else { continue }
            units.add(event)
            let name = Name(event: event.name, model: event.model ?? "")
            day[name, default: MetricTotal(count: 0, sum: 0)].count += 1
            day[name]?.sum += event.value ?? 0
        }
        try units.write()
        try write(day)
        try store.put(
            EventJournal(
                projectID: project, installation: installation, name: batch.journal, last: newest,
                touchedMicroseconds: nowMicroseconds), keeping: Self.journalLimit)
        return newest
    }

    private func write(_ counts: [Name: MetricTotal]) throws {
        let project = part.project.id
        let today = nowMicroseconds / 86_400_000_000
        var free = try Self.dayLimit - store.eventDayCount(project: project, day: today)
        var known: Set<Name>?
        for (name, total) in counts {
            var name = name
            if free < counts.count {
                let all =
                    try known
                    ?? Set(
                        store.eventDays(project: project, limit: Self.dayLimit + 1).filter { $0.day == today }
                            .map { Name(event: $0.event, model: $0.model) })
                known = all
                if !all.contains(name) {
                    if free <= 1 { name = Name(event: Self.otherEvents, model: "") }
                    free -= 1
                }
            }
            try store.add(
                EventDay(
                    projectID: project, day: today, event: name.event, model: name.model, count: Int64(total.count),
                    sum: total.sum))
        }
    }
}

/// One installation's part in the running experiments, while a batch of it is counted.
private struct Units {
    private let counting: EventCounting
    private let served: [ServedExperiment]
    /// By experiment; those that it was exposed to.
    private var units: [String: ExperimentUnit] = [:]
    private var added: [String: [Int: MetricTotal]] = [:]

    init(_ counting: EventCounting) throws {
        self.counting = counting
        // Whoever takes no part is not looked for.
        served = counting.part.experiments.all.filter {
            $0.experiment.variantIndex(of: counting.installation) != nil
        }
        for experiment in served.map(\.experiment) {
            let variant = try counting.store.unitVariant(
                counting.installation, experiment: experiment.name, project: experiment.projectID)
            units[experiment.name] = variant.map { unit(of: experiment, $0) }
        }
    }

    /// The first exposure is written down. The variant is worked out here, not believed: what does not match is of an
    /// experiment that was, or made up. So is what tells of another start.
    mutating func expose(_ exposure: EventBodies.Exposure) throws {
        guard units[exposure.experiment] == nil,
            let own = served.first(where: { $0.experiment.name == exposure.experiment }),
            exposure.start ?? own.startTag == own.startTag, case let experiment = own.experiment,
            let variant = experiment.variantIndex(of: counting.installation),
            experiment.variants[variant].name == exposure.variant
        else { return }
        let unit = unit(of: experiment, variant)
        try counting.store.insert(unit)
        units[experiment.name] = unit
    }

    private func unit(of experiment: Experiment, _ variant: Int) -> ExperimentUnit {
        ExperimentUnit(
            projectID: experiment.projectID, experiment: experiment.name, installation: counting.installation,
            variant: variant, exposedMicroseconds: counting.nowMicroseconds)
    }

    mutating func add(_ event: EventBodies.Event) {
        for experiment in served.map(\.experiment) where units[experiment.name] != nil {
            for (place, metric) in experiment.metrics.enumerated() {
                guard let amount = metric.amount(ofEvent: event.name, value: event.value, model: event.model) else {
                    continue
                }
                added[experiment.name, default: [:]][place, default: MetricTotal(count: 0, sum: 0)].count += 1
                added[experiment.name]?[place]?.sum += amount
            }
        }
    }

    func write() throws {
        for (name, totals) in added {
            guard let unit = units[name] else { continue }
            for (place, total) in totals { try counting.store.add(total, metric: place, to: unit) }
        }
    }
}

import Dispatch
import HearthCatalog
import HearthConcurrency
import HearthExperiments
import HearthRouting
import HearthServing
import HearthStorage
import HearthWire

/// Counts the events that devices report. Batches that arrive together share a transaction, so that one disk sync
/// serves all of them. A device gets its answer only after its events are on the disk.
final class EventIntake: Sendable {
    typealias Reply = @Sendable (Result<Int64, any Error>) -> Void

    /// A batch that waits to be counted, and how to answer it.
    private struct Submission {
        let project: String
        let installation: String
        let batch: EventBodies.Batch
        let reply: Reply
    }

    /// The largest number of waiting batches. Further devices are asked to send again later.
    static let waitingLimit = 1000
    /// The largest number of batches in one transaction: publishers wait while it runs.
    private static let transactionLimit = 100

    private let context: RouteContext
    private let metadata: any MetadataStore
    private let rollouts: RolloutWatches
    private let waiting = Lock<[Submission]>([])
    private let names = Lock(NewEventNames())
    private let queue = DispatchQueue(label: "app.hearth.events")

    init(_ context: RouteContext, _ metadata: any MetadataStore, _ rollouts: RolloutWatches) {
        self.context = context
        self.metadata = metadata
        self.rollouts = rollouts
    }

    /// Replies, on another thread, with the highest sequence number of the journal that is counted.
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
                // A device learns of an experiment from a server that has stored its start. This one has it after a question.
                _ = try metadata.currentServingRevision()
                return try metadata.write { store in
                    var names = self.names.withLock { $0 }
                    let results = try orders.map { try count($0, &names, store) }
                    return (results, names)
                }
            }
            if case .success(let (_, names)) = counted { self.names.withLock { $0 = names } }
            // Batches leave the queue only after they are counted: a batch that arrives meanwhile must not start a
            // second loop beside this one.
            let isDone = waiting.withLock { waiting in
                waiting.removeFirst(orders.count)
                return waiting.isEmpty
            }
            for (index, order) in orders.enumerated() {
                if case .success(let (results, _)) = counted { watch(results[index].health, order) }
                order.reply(counted.map { results, _ in results[index].last })
            }
            if isDone { return }
        }
    }

    /// The snapshot is at least as new as what the devices have heard. Other servers may write meanwhile.
    private func count(
        _ order: Submission, _ names: inout NewEventNames, _ store: any MetadataWriter
    ) throws -> EventCounting.Counted {
        guard let part = try context.serving.current().projects[order.project] else { return .init(last: 0) }
        let now = context.nowMicroseconds
        names.begin(day: now / 86_400_000_000)
        let counted = try EventCounting(
            store: store, part: part, installation: order.installation, nowMicroseconds: now,
            addedNames: names.count(of: order.installation, project: order.project)
        ).count(order.batch)
        names.add(counted.newNames, of: order.installation, project: order.project)
        return counted
    }
}

extension EventIntake {
    /// Lets guarded releases see the reports. After the commit, because a batch that failed comes again.
    private func watch(_ health: [ModelHealth], _ order: Submission) {
        guard !health.isEmpty, let part = try? context.serving.current().projects[order.project] else { return }
        rollouts.report(health, of: order.installation, part)
    }
}

/// Counts the items of one batch. The same transaction stores how far the batch's journal is counted, so that the
/// server recognizes a batch that is sent again.
struct EventCounting {
    /// The number of journals that the server remembers per installation. A device sends its journals one after the
    /// other.
    static let journalLimit = 8
    /// The number of different events that are counted separately on one day; all others are counted together. It is
    /// bounded because devices choose the names.
    static let dayLimit = 500
    /// The number of names that one installation may add to a day, so that none uses up the names of all.
    static let installationLimit = 100
    static let otherEvents = "other"

    let store: any MetadataWriter
    let part: ServingSnapshot.ProjectPart
    let installation: String
    let nowMicroseconds: Int64
    /// The number of names that the installation has added to the day before.
    let addedNames: Int

    /// An event and the model that it is about.
    private struct Name: Hashable {
        let event: String
        let model: String
    }

    struct Counted {
        /// The highest sequence number that is counted now.
        var last: Int64
        /// The reports that were not counted before.
        var health: [ModelHealth] = []
        /// The number of names that the day did not have before.
        var newNames = 0
    }

    /// A value whose square is too small for a number counts as 0, because PostgreSQL refuses to compute it.
    private static func counted(_ value: Double) -> Double { abs(value) < 1e-100 ? 0 : value }

    func count(_ batch: EventBodies.Batch) throws -> Counted {
        let project = part.project.id
        let last = try store.journal(batch.journal, installation: installation, project: project)?.last ?? 0
        let fresh = batch.items.filter { $0.sequence > last }
        guard let newest = fresh.last?.sequence else { return Counted(last: last) }
        var units = try Units(self)
        var day: [Name: MetricTotal] = [:]
        for item in fresh {
            if let exposure = item.exposure { try units.expose(exposure) }
            if let health = item.health { try store.add(health, project: project, nowMicroseconds: nowMicroseconds) }
            guard var event = item.event else { continue }
            event.value = event.value.map(Self.counted)
            units.add(event)
            let name = Name(event: event.name, model: event.model ?? "")
            day[name, default: MetricTotal(count: 0, sum: 0)].count += 1
            day[name]?.sum += event.value ?? 0
        }
        try units.write()
        let newNames = try write(day)
        try store.put(
            EventJournal(
                projectID: project, installation: installation, name: batch.journal, last: newest,
                touchedMicroseconds: nowMicroseconds), keeping: Self.journalLimit)
        return Counted(last: newest, health: fresh.compactMap(\.health), newNames: newNames)
    }

    /// - Returns: the number of names that the day did not have before.
    private func write(_ counts: [Name: MetricTotal]) throws -> Int {
        guard !counts.isEmpty else { return 0 }
        let project = part.project.id
        let today = nowMicroseconds / 86_400_000_000
        let before = try store.eventDayCount(project: project, day: today)
        var free = Self.dayLimit - before
        var own = Self.installationLimit - addedNames
        let isCrowded = counts.count > min(free, own)
        let goals = isCrowded ? self.goals : []
        let known = isCrowded ? try names(of: today, and: goals.count) : []
        for (name, total) in counts {
            var name = name
            if isCrowded, !known.contains(name), !goals.contains(name) {
                if free <= 1 || own <= 0 {
                    let isGoal = goals.contains { $0.event == name.event }
                    name = Name(event: isGoal ? name.event : Self.otherEvents, model: "")
                } else {
                    free -= 1
                    own -= 1
                }
            }
            try store.add(
                EventDay(
                    projectID: project, day: today, event: name.event, model: name.model, count: Int64(total.count),
                    sum: total.sum))
        }
        return try store.eventDayCount(project: project, day: today) - before
    }

    /// What the running experiments measure: always counted by name, so that a reader of the list sees that it arrives.
    private var goals: Set<Name> {
        Set(part.experiments.all.flatMap(\.experiment.metrics).map { Name(event: $0.event, model: $0.model ?? "") })
    }

    /// The names that the day has. They may be more than the limit: by those that are always counted, and for each by one
    /// without a model, and by that of all others.
    private func names(of today: Int64, and always: Int) throws -> Set<Name> {
        let days = try store.eventDays(project: part.project.id, limit: Self.dayLimit + 2 * always + 1)
        return Set(days.filter { $0.day == today }.map { Name(event: $0.event, model: $0.model) })
    }
}

/// One installation's place in the running experiments, while one of its batches is counted.
private struct Units {
    private let counting: EventCounting
    private let served: [ServedExperiment]
    /// By experiment name; only the experiments that the installation was exposed to.
    private var units: [String: ExperimentUnit] = [:]
    private var added: [String: [Int: MetricTotal]] = [:]

    init(_ counting: EventCounting) throws {
        self.counting = counting
        // A pinned installation says nothing about other devices. Experiments without this installation need no look-up
        // in the store.
        let isPinned = counting.part.pins?.hasInstallation(counting.installation) ?? false
        served = counting.part.experiments.all.filter {
            !isPinned && $0.experiment.variantIndex(of: counting.installation) != nil
        }
        for experiment in served.map(\.experiment) {
            let variant = try counting.store.unitVariant(
                counting.installation, experiment: experiment.name, project: experiment.projectID)
            units[experiment.name] = variant.map { unit(of: experiment, $0) }
        }
    }

    /// Stores the first exposure. The server computes the variant itself: an exposure with another variant belongs to
    /// an earlier experiment or is made up. The same holds for an exposure that names another start.
    mutating func expose(_ exposure: EventBodies.Exposure) throws {
        guard units[exposure.experiment] == nil,
            let own = served.first(where: { $0.experiment.name == exposure.experiment }),
            exposure.start ?? own.startTag == own.startTag, case let experiment = own.experiment,
            let variant = experiment.variantIndex(of: counting.installation),
            experiment.variants[variant].name == exposure.variant,
            // Another server may have ended or deleted it after the snapshot.
            try counting.store.experiment(experiment.name, project: experiment.projectID)?.isRunning == true
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

import Dispatch
import HearthCatalog
import HearthConcurrency
package import HearthStorage
package import HearthTargeting
import Synchronization

/// Keeps the newest snapshot. A commit makes it outdated.
///
/// One queue makes the new snapshot, whatever the reason is (`RenewalReason`). With a database in this process a caller who comes
/// earlier makes it. With one elsewhere no device and no check of a caller waits for it, and the last snapshot answers until
/// then, also while the database is away. Templates that are new in a snapshot are announced, whoever has made it.
package final class ServingState: Sendable {
    /// What a snapshot is worth now.
    package struct Freshness: Sendable, Hashable {
        /// For how long it is unknown whether the database has changed.
        package var ageMicroseconds: Int64
        /// Whether the database answers.
        package var isAnswering: Bool
        /// Whether devices may still be answered from it.
        package var isUsable: Bool
    }

    /// Conditions that were parsed for a check and are about to be served.
    package let conditions = ConditionCache()

    private let metadata: any MetadataStore
    private let staleHours: Int64
    private let monotonicMicroseconds: @Sendable () -> Int64
    private let log: @Sendable (String) -> Void
    /// Templates that were compiled for a check and are about to be served, by project.
    private let prepared = Lock<[String: ServedTemplate.Content]>([:])
    /// Of callers whom nobody knows; of devices that ask for a model that is not there; and of those without a template.
    private let (callerLooks, modelLooks, templateLooks) = (RevisionLooks(), RevisionLooks(), RevisionLooks())
    private let isWaitingForNews = Atomic(false)
    private let snapshot = Lock<ServingSnapshot?>(nil)
    /// Locked while a snapshot is made, so that one caller makes it and the others wait for it.
    private let building = Lock<Void>(())
    private let renewing = DispatchQueue(label: "app.hearth.serving")
    /// Gets a signal from the next round of the queue, whether it succeeds or not.
    private let waiting = Lock<DispatchSemaphore?>(nil)
    /// Why the next round of the queue is due.
    private let reasons = Lock<Set<RenewalReason>>([])
    private let listener = Lock<TemplateListener?>(nil)
    private let forgetting = Lock<[@Sendable () -> Void]>([])
    /// On the monotonic clock: up to when the snapshot is known to contain every change.
    private let confirmed = Atomic<Int64>(.min)

    /// - Parameters:
    ///   - staleHours: how long devices are answered from a snapshot that the database did not confirm.
    ///   - monotonicMicroseconds: a clock that nobody can set.
    package init(
        _ metadata: any MetadataStore, staleHours: Int64 = 24,
        monotonicMicroseconds: @escaping @Sendable () -> Int64, log: @escaping @Sendable (String) -> Void
    ) {
        self.metadata = metadata
        self.staleHours = staleHours
        self.monotonicMicroseconds = monotonicMicroseconds
        self.log = log
    }

    /// The last snapshot, however old; nil if there is none. It does not read the database, so it may be used inside a
    /// transaction.
    package var last: ServingSnapshot? { snapshot.withLock { $0 } }

    /// Sets what devices of the project get once the template of that number is committed. Call it inside the
    /// transaction, with nil if the transaction fails, and again after the commit.
    ///
    /// With several servers only the call after the commit counts: before, another one may commit the template of that
    /// number, and the transaction be repeated.
    package func prepare(_ content: ServedTemplate.Content?, for project: String, isCommitted: Bool = false) {
        guard metadata.coordination.isShared == isCommitted else { return }
        prepared.withLock { $0[project] = content }
    }

    /// The compiled template; compiles it if necessary, so never call it on the HTTP server's threads.
    package func content(of template: ServedTemplate) throws -> ServedTemplate.Content {
        try template.content(from: metadata, log: log)
    }

    /// A snapshot that contains every change committed before the call, by this server or heard from another one. It may wait
    /// for the database.
    package func current() throws -> ServingSnapshot {
        let revision = metadata.servingRevision
        if let known = last, known.revision >= revision { return known }
        return try building.withLock { _ in
            let known = last
            if let known, known.revision >= revision { return known }
            let asked = monotonicMicroseconds()
            let made = try make()
            snapshot.withLock { $0 = made }
            confirmed.max(asked, ordering: .relaxed)
            // Templates that are served now are no longer needed here.
            prepared.withLock { prepared in
                prepared = prepared.filter { (made.projects[$0.key]?.template?.number ?? 0) < $0.value.number }
            }
            if let known { announce(made, after: known) }
            return made
        }
    }

    /// Still under the lock, so that the announcements come in the order of the snapshots.
    private func announce(_ new: ServingSnapshot, after old: ServingSnapshot) {
        guard let listener = listener.withLock({ $0 }) else { return }
        let isOther = new.history != old.history
        for (project, part) in new.projects {
            guard let number = part.template?.number else { continue }
            if isOther || number != old.projects[project]?.template?.number { listener(number, project, isOther) }
        }
    }

    private func make() throws -> ServingSnapshot {
        // Read before the records: a commit in between makes the snapshot newer than its revision, never older.
        let (revision, history) = (metadata.servingRevision, metadata.history)
        let old = last
        let isSameHistory = old.map { $0.history == history } ?? true
        // Another template may have the number of one that is gone.
        if !isSameHistory { prepared.withLock { $0 = [:] } }
        let made = try metadata.readServed {
            try ServingSnapshot(
                revision: revision, history: history, reader: $0, old: old, prepared: prepared.withLock { $0 },
                recent: conditions, log: log)
        }
        // Large templates delay neither the first snapshot, nor the one that says which keys are valid in another database.
        // Later ones keep the devices of a changed template from waiting for the database.
        if old != nil, isSameHistory, metadata.contact != nil { try readTemplates(of: made) }
        return made
    }

    private func readTemplates(of snapshot: ServingSnapshot) throws {
        for case let template? in snapshot.projects.values.map(\.template) where template.content == nil {
            _ = try content(of: template)
        }
    }
}

/// Changes that another server made a moment ago.
extension ServingState {
    /// A snapshot with changes of other servers that this one lacks; nil if there are none, after too many questions, and
    /// if it takes too long. It asks the database, so call it only before a refusal.
    package func newer(than snapshot: ServingSnapshot) -> ServingSnapshot? {
        guard let newest = newest(callerLooks), newest !== snapshot else { return nil }
        return newest
    }

    /// What one project contributes now, for a model that it did not contain.
    package func newerModels(than part: ServingSnapshot.ProjectPart) -> ServingSnapshot.ProjectPart? {
        newer(than: part, modelLooks)
    }

    /// What one project contributes now, for a template that it did not contain. Devices of projects without one ask
    /// all the time.
    package func newerTemplate(than part: ServingSnapshot.ProjectPart) -> ServingSnapshot.ProjectPart? {
        newer(than: part, templateLooks)
    }

    private func newer(
        than part: ServingSnapshot.ProjectPart, _ looks: RevisionLooks
    ) -> ServingSnapshot.ProjectPart? {
        guard let newest = newest(looks)?.projects[part.project.id], newest !== part else { return nil }
        return newest
    }

    private func newest(_ looks: RevisionLooks) -> ServingSnapshot? {
        guard metadata.coordination.isShared else { return nil }
        // One at a time waits for the database or a snapshot, because it is a thread of the HTTP server.
        guard !isWaitingForNews.exchange(true, ordering: .acquiring) else { return nil }
        defer { isWaitingForNews.store(false, ordering: .releasing) }
        // What was heard already needs no question.
        let hasNews = last.map { $0.revision < metadata.servingRevision } ?? true
        guard hasNews || looks.refreshRevision(of: metadata) else { return nil }
        return snapshot(of: metadata.servingRevision)
    }

    /// Waits until the snapshot has this revision. It is made by a thread of its own, because that takes long with thousands
    /// of models.
    private func snapshot(of revision: UInt64) -> ServingSnapshot? {
        if let known = last, known.revision >= revision { return known }
        guard metadata.contact?.isAnswering ?? true else { return nil }
        let isOver = DispatchSemaphore(value: 0)
        waiting.withLock { $0 = isOver }
        renewSoon(.refusal)
        _ = isOver.wait(timeout: .now() + Self.newsPatience)
        return last.flatMap { $0.revision >= revision ? $0 : nil }
    }

    private static let newsPatience = DispatchTimeInterval.seconds(2)
}

/// Why a queue of its own makes a new snapshot. Besides, a server renews that of a database elsewhere every second, and before
/// it answers each change of its own.
enum RenewalReason: Sendable {
    /// This server has changed something in a database in its own process.
    case changed
    /// The server heard that another one has changed something.
    case heard
    /// A call found that the snapshot is older than what the server has heard.
    case outdated
    /// A caller is about to be refused, and another server may know more.
    case refusal

    /// Several changes at once share a snapshot, but nobody who waits for one waits longer.
    fileprivate var pause: DispatchTimeInterval? { self == .heard ? .milliseconds(50) : nil }
}

extension ServingState {
    /// Hears of the number of a project's template when it is another one than before. With true, the database is another one
    /// too, which may have another template of a number that was announced.
    package typealias TemplateListener = @Sendable (_ number: Int64, _ project: String, _ isOther: Bool) -> Void

    /// Begins to hear of changes by other servers, and to tell the listener of new templates. It must return soon, because
    /// callers who need the snapshot wait for it.
    package func start(_ listener: @escaping TemplateListener) {
        self.listener.withLock { $0 = listener }
        guard metadata.coordination.isShared else { return }
        metadata.onServingChange { [weak self] in self?.renewSoon(.heard) }
    }

    /// Calls `body` when the database turns out to be another one than before, so that what has numbers of the former one is
    /// forgotten.
    package func onOtherDatabase(_ body: @escaping @Sendable () -> Void) { forgetting.withLock { $0.append(body) } }

    package func forgetDatabase() {
        for body in forgetting.withLock({ $0 }) { body() }
    }

    /// After a failure, for example without a database.
    private static let failurePause = DispatchTimeInterval.seconds(1)

    private func renewSoon(_ reason: RenewalReason) {
        if reasons.withLock({ $0.insert(reason).inserted }) { schedule(after: reason.pause) }
    }

    private func schedule(after pause: DispatchTimeInterval?) {
        let round: @Sendable () -> Void = { [weak self] in self?.round() }
        if let pause {
            renewing.asyncAfter(deadline: .now() + pause, execute: round)
        } else {
            renewing.async(execute: round)
        }
    }

    /// Returns when what this server has changed is in a snapshot, and announced; at once with a database elsewhere. Only tests
    /// wait for it.
    func finishRenewal() {
        if metadata.contact == nil { renewing.sync {} }
    }

    private func round() {
        // A reason after this moment schedules the next round.
        let reasons = reasons.withLock { reasons in
            defer { reasons = [] }
            return reasons
        }
        guard !reasons.isEmpty else { return }
        let isOver = waiting.withLock { $0.take() }
        defer { isOver?.signal() }
        do {
            _ = try current()
        } catch {
            // Who asks next tries again. Nobody may ask before a device that must hear of a template.
            guard reasons.contains(.heard), self.reasons.withLock({ $0.insert(.heard).inserted }) else { return }
            schedule(after: Self.failurePause)
        }
    }
}

/// A database elsewhere, which may be away.
extension ServingState {
    /// The snapshot that answers devices. It waits for no database elsewhere.
    ///
    /// - Throws: `StaleSnapshot` if the last snapshot is too old.
    package func forDevices(monotonicMicroseconds now: Int64) throws -> ServingSnapshot {
        guard let contact = metadata.contact, let known = last else { return try current() }
        let freshness = freshness(of: known, contact, now)
        guard freshness.isUsable else { throw StaleSnapshot(hours: staleHours) }
        return known
    }

    /// The snapshot that answers devices which were checked before. It waits for no database elsewhere.
    ///
    /// - Throws: `StaleSnapshot` if the last snapshot is too old.
    package func forWaitingDevices() throws -> ServingSnapshot {
        try forDevices(monotonicMicroseconds: monotonicMicroseconds())
    }

    /// The snapshot that says who makes an admin call. It waits for no database elsewhere.
    ///
    /// - Throws: `.unavailable` while the database does not answer: the call would need it.
    package func forAdmins() throws -> ServingSnapshot {
        guard let contact = metadata.contact, let known = last else { return try current() }
        guard contact.isAnswering else { throw StorageError(.unavailable, "The database does not answer") }
        _ = freshness(of: known, contact, monotonicMicroseconds())
        return known
    }

    /// Makes a snapshot of what this server has changed in a database elsewhere, if it has changed something: before the caller
    /// has its answer, so that its next call and devices find the change. Never on the HTTP server's threads.
    ///
    /// With a database in this process whoever asks next finds the change. So that devices hear of a template at once, the
    /// snapshot is made soon, for all changes of that time together.
    package func settle() {
        guard let known = last, known.revision < metadata.servingRevision else { return }
        guard metadata.contact != nil else { return renewSoon(.changed) }
        // If it fails, the next one succeeds.
        _ = try? current()
    }

    /// Makes a new snapshot if there is something new in a database elsewhere, and reads what devices will ask for.
    package func renew() throws {
        guard let contact = metadata.contact, contact.isAnswering else { return }
        try readTemplates(of: current())
    }

    /// Nil with a database in this process, or before the first snapshot.
    package var freshness: Freshness? {
        guard let contact = metadata.contact, let known = last else { return nil }
        return freshness(of: known, contact, monotonicMicroseconds())
    }

    private func freshness(of known: ServingSnapshot, _ contact: StoreContact, _ now: Int64) -> Freshness {
        if known.revision >= metadata.servingRevision {
            confirmed.max(now &- contact.ageMicroseconds, ordering: .relaxed)
        } else if contact.isAnswering {
            renewSoon(.outdated)
        }
        let age = max(0, now.subtractingReportingOverflow(confirmed.load(ordering: .relaxed)).partialValue)
        return Freshness(
            ageMicroseconds: age, isAnswering: contact.isAnswering,
            isUsable: age <= staleHours * 3_600_000_000 + Self.graceMicroseconds)
    }

    /// The database says its revision about once a second, and a new connection to it may take some seconds.
    private static let graceMicroseconds: Int64 = 10_000_000

}

/// Devices get no answers, because the last snapshot is too old: keys may have been revoked meanwhile.
package struct StaleSnapshot: Error, CustomStringConvertible {
    /// How long devices are answered while the database is away.
    let hours: Int64

    package static let retryAfterSeconds = 60

    package var description: String {
        """
        This server has not reached its database for more than \(hours) hours, and keys may have been revoked meanwhile, so it \
        answers no devices until it does.
        """
    }
}

import HearthCatalog
package import HearthHTTP
package import HearthIdentity
import HearthMetrics
package import HearthRouting
import HearthServing
package import HearthStorage
package import HearthWork

/// What devices ask: which version of a model they should have, its file, their Remote Config values and updates, and their
/// identities; and what they report. It reads the snapshot, and writes only by its intakes: new installations, events, and
/// what the devices have.
package final class DevicePlane: Sendable {
    package let context: RouteContext
    /// For its intakes and its monitors.
    let metadata: any MetadataStore
    /// The devices that wait for template updates.
    package let updates: TemplateUpdates
    /// Counts the installations that have a version.
    let adoption: AdoptionRecorder
    /// The last calls of devices, to explain their answers.
    package let recentCalls: RecentCalls
    /// What the devices of guarded releases do.
    package let rollouts: RolloutWatches
    /// Counts the answers to devices by model.
    let modelMetrics = ModelMetrics()
    package let routes: [CallRoute]
    private let adoptionMetrics: AdoptionMetrics
    private let signingKeys: SigningKeyMonitor
    let outages: OutageMonitor

    /// - Parameter log: gets one line for each failure whose reason the caller does not get.
    package convenience init(
        _ services: Services, _ metadata: any MetadataStore, log: @escaping @Sendable (String) -> Void
    ) {
        self.init(RouteContext(services: services, metadata: metadata, log: log), metadata)
    }

    package init(_ context: RouteContext, _ metadata: any MetadataStore) {
        self.context = context
        self.metadata = metadata
        let services = context.services
        let updates = TemplateUpdates(
            context.serving, limits: services.limits.updateStreams, scheduler: services.scheduler, now: services.now)
        let adoption = AdoptionRecorder(metadata, services.installationHash)
        let recentCalls = RecentCalls(metadata)
        let rollouts = RolloutWatches(
            services.installationHash, services.clock, limit: services.limits.watchedReleases,
            isShared: metadata.coordination.isShared, checkSeconds: services.limits.rolloutCheckSeconds)
        (self.updates, self.adoption, self.recentCalls, self.rollouts) = (updates, adoption, recentCalls, rollouts)
        adoptionMetrics = AdoptionMetrics(context, metadata, adoption)
        signingKeys = SigningKeyMonitor(services)
        outages = OutageMonitor(context, metadata)
        let observers: [any DeviceObserver] = [adoption, rollouts, recentCalls]
        let registrar = InstallationRegistrar(metadata, observers, notesUnsent: services.isFollower)
        let tables = [
            DownloadRoutes(context, observers, modelMetrics).routes, ConfigFetchRoutes(context).routes,
            ConfigUpdateRoutes(context, updates).routes, InstallationRoutes(context, registrar).routes,
            EventRoutes(context, EventIntake(context, metadata, rollouts)).routes,
        ]
        routes = tables.flatMap { $0 }
        context.serving.onOtherDatabase { [adoption] in adoption.forgetRecorded() }
        context.serving.start { [weak updates] in updates?.announce($0, project: $1, isOther: $2) }
    }

    /// The rate limiters of calls, which also count the calls that they refuse.
    package var limiter: RateLimiters { context.limiter }
    /// How many devices wait for template updates now.
    package var updateStreamCount: Int { updates.count }
    /// How old what answers devices is: since when it is unknown whether the database has changed; nil with a database in
    /// this process.
    package var servingAgeMicroseconds: Int64? { context.serving.freshness?.ageMicroseconds }

    /// The id of the project that a path names by its id or its number; nil if devices know no such project.
    package func projectID(named name: String) -> String? { context.serving.last?.project(named: name)?.project.id }

    /// Counts a call that proves no identity here, because another server will check it.
    ///
    /// - Returns: how to refuse it, if there were too many such calls; otherwise nil.
    package func refusal(ofUncheckedCall head: RequestHead) -> Response? {
        do {
            try context.countUnauthenticated(head)
            return nil
        } catch {
            return context.failure(head, error)
        }
    }

    func add(to metrics: ServerMetrics) {
        adoptionMetrics.add(to: metrics)
        rollouts.metrics.add(to: metrics)
    }

    /// What works beside the answers. The first parts make what the first answers need.
    ///
    /// - Parameter messages: gets what an operator should know of a database or a store elsewhere.
    package func parts(
        _ log: PartLog, messages: @escaping @Sendable ([OperatorMessage]) -> Void = { _ in }
    ) -> [ServerPart] {
        [
            .periodic(
                "serving", everySeconds: 1, log, isDue: { [metadata] in metadata.coordination.isShared },
                begin: { [context] in
                    _ = try context.serving.current()
                    return []
                },
                work: { [outages] in
                    messages(try outages.refresh())
                    return []
                }),
            // What it finds is nothing usual.
            .periodic(
                "clock", everySeconds: 1, PartLog(note: log.failure, failure: log.failure),
                begin: { [self] in try context.clockKeeper.begin() }, finish: { [self] in tickClock(isLast: true) },
                work: { [self] in tickClock() }),
            .periodic(
                "adoption", everySeconds: 1, log,
                isDue: { [metadata] in metadata.readOnlyReason == nil && metadata.contact?.isAnswering ?? true },
                finish: { [self] in
                    try adoption.writeAll(nowMicroseconds: context.nowMicroseconds)
                    return []
                },
                work: { [self] in
                    try writeAdoption()
                    return []
                }),
        ]
    }

    /// Marks keys and tokens whose end has passed as ended, detects whether the time of day was set, and learns of signing
    /// keys that another server made or retired.
    package func tickClock(isLast: Bool = false) -> [String] {
        context.clockKeeper.tick(isLast: isLast) + (isLast ? [] : signingKeys.tick())
    }

    /// Writes which versions devices have and which calls they made last, if that is due, and estimates what the metrics
    /// show.
    package func writeAdoption() throws {
        let monotonic = context.monotonicMicroseconds
        try adoption.writeIfDue(nowMicroseconds: context.nowMicroseconds, monotonicMicroseconds: monotonic)
        try adoptionMetrics.refreshIfDue()
        try recentCalls.writeIfDue(monotonicMicroseconds: monotonic)
    }
}

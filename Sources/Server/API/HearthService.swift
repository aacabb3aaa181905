import HearthCatalog
package import HearthHTTP
package import HearthIdentity
package import HearthMetrics
import HearthWire

/// The whole HTTP interface: one table of routes.
package final class HearthService: RequestHandler {
    /// Renders the refusals of the HTTP engine in the same envelope as the service's own.
    package static let errorRenderer: ErrorRenderer = HTTPFault.envelope

    /// The rate limiters of calls, which also count the calls that they refuse.
    package let limiter: RateLimiters
    /// What `/metrics` shows. The program that runs the service records the finished requests.
    package let metrics: ServerMetrics
    /// How many devices wait for template updates now.
    package var updateStreamCount: Int { updates.count }
    /// Signs browsers in to the console.
    package let consoleAccess: ConsoleAccess
    /// What the console keeps in the database; nil for a server that is alone, whose memory is enough.
    package let consoleValues: ConsoleValues?
    /// The names of the routes; `AccessLogEntry.route` counts them from 1.
    package let routeNames: [String]

    private let router: Router
    private let deviceRouter: Router
    private let experiments: ExperimentMonitor
    private let rollouts: RolloutMonitor
    private let rehearsals: RehearsalStarter
    private let clock: ExpiryMonitor
    private let signingKeys: SigningKeyMonitor
    private let updates: TemplateUpdates
    private let context: RouteContext
    private let outages: OutageMonitor
    private let adoption: AdoptionRecorder
    private let adoptionMetrics: AdoptionMetrics

    /// - Parameters:
    ///   - otherRoutes: the names of routes that other handlers of the same server have. Their numbers follow those of
    ///     this service.
    ///   - log: gets one line for each failure whose reason the caller does not get.
    package init(
        _ services: Services, otherRoutes: [String] = [], log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let context = RouteContext(services: services, log: log)
        self.context = context
        outages = OutageMonitor(context)
        limiter = context.limiter
        experiments = ExperimentMonitor(context)
        let rolloutMetrics = context.rollouts.metrics
        rollouts = RolloutMonitor(context)
        rehearsals = RehearsalStarter(context)
        let consoleAccess = ConsoleAccess(context)
        self.consoleAccess = consoleAccess
        consoleValues = ConsoleValues(context)
        clock = context.clockKeeper
        signingKeys = SigningKeyMonitor(context)
        updates = context.updates
        adoption = context.adoption
        adoptionMetrics = AdoptionMetrics(context)
        let (devices, others) = Self.tables(context, consoleAccess)
        let open = CrossOrigin(services.allowedOrigins).allowing(devices) + HealthRoutes(context).routes
        routeNames = open.map(\.name) + [MetricsRoutes.pattern] + others.map(\.name) + otherRoutes
        metrics = ServerMetrics(version: HearthVersion.text, routes: routeNames, models: context.modelMetrics)
        adoptionMetrics.add(to: metrics)
        rolloutMetrics.add(to: metrics)
        // Both routers give these routes the same numbers.
        let deviceRoutes = open + MetricsRoutes(context, metrics).routes
        deviceRouter = Router(deviceRoutes, errors: Self.errorRenderer)
        router = Router(
            deviceRoutes + others, errors: Self.errorRenderer, fallback: UnsupportedStorageRoutes.answer)
    }

    static func routes(_ context: RouteContext) -> [Route] {
        let (devices, others) = tables(context, ConsoleAccess(context))
        return devices + HealthRoutes(context).routes + others
    }

    /// The routes of devices, which need only what an app has, and all other routes.
    private static func tables(
        _ context: RouteContext, _ access: ConsoleAccess
    ) -> (devices: [Route], others: [Route]) {
        let uploads = UploadService(context)
        let events = EventRoutes(context)
        let devices = [
            DownloadRoutes(context).routes, ConfigFetchRoutes(context).routes, ConfigUpdateRoutes(context).routes,
            InstallationRoutes(context).routes, events.deviceRoutes,
        ]
        let others = [
            ModelRoutes(context).routes, OperationRoutes(context).routes, VersionRoutes(context).routes,
            AliasRoutes(context).routes, TryRoutes(context).routes, ComparisonRoutes(context).routes,
            ReleaseRoutes(context).routes, RehearsalImageRoutes(context).routes, RehearsalRoutes(context).routes,
            AdoptionRoutes(context).routes, RecentDeviceRoutes(context).routes, PinRoutes(context).routes,
            ExplanationRoutes(context).routes,
            ModelHealthRoutes(context).routes, UploadRoutes(uploads).routes,
            UnfinishedUploadRoutes(uploads).routes, PackRoutes(uploads).routes, StorageRoutes(uploads).routes,
            TemplateRoutes(context).routes,
            EvaluationRoutes(context).routes,
            ExperimentRoutes(context).routes, GoogleExperimentRoutes(context).routes, events.adminRoutes,
            TokenRoutes(context).routes, ProjectRoutes(context).routes,
            ServiceAccountRoutes(context).routes, APIKeyRoutes(context).routes, AdminTokenRoutes(context).routes,
            AuditRoutes(context).routes, ConsoleAccessRoutes(context, access).routes, OverviewRoutes(context).routes,
            SearchRoutes(context).routes,
            ServerRoutes(context).routes, SigningKeyRoutes(context).routes, MirrorRoutes(context).routes,
        ]
        let health = HealthRoutes(context).routes
        let described = DescriptionRoutes(describing: (devices + others).flatMap { $0 } + health, context.coding)
        return (devices.flatMap { $0 }, others.flatMap { $0 } + described.routes)
    }

    /// Stops the experiments that are decided: one that harms a guardrail, or one that stops at its winner. To be
    /// called from time to time, by one thread at a time, at each of several servers.
    ///
    /// - Returns: one line for each.
    package func endDecidedExperiments() throws -> [String] { try experiments.endDecided() }

    /// Starts the rehearsals of new versions. To be called every few seconds, by one thread at a time.
    package func startRehearsals() throws { try rehearsals.start() }

    /// Continues to watch guarded releases from what was stored when the server last ran. Call it once, before the first
    /// request.
    ///
    /// - Returns: messages for the operator, one line each.
    package func beginRollouts() throws -> [String] { try rollouts.begin() }

    /// Stops the guarded releases that do harm, and lets those with a plan reach more devices. To be called every few
    /// seconds, by one thread at a time; with `isLast` before the program exits, when it only stores what was seen.
    ///
    /// - Returns: one line for each release that it changed or could not look at.
    package func checkRollouts(isLast: Bool = false) throws -> [String] { try rollouts.check(isLast: isLast) }

    /// Writes which versions devices have, if that is due, and estimates what the metrics show. To be called about once
    /// a second, by one thread at a time; with `isLast` before the program exits, when no request runs any more.
    package func writeAdoption(isLast: Bool = false) throws {
        let now = context.nowMicroseconds
        if isLast { return try adoption.writeAll(nowMicroseconds: now) }
        try adoption.writeIfDue(nowMicroseconds: now, monotonicMicroseconds: context.monotonicMicroseconds)
        try adoptionMetrics.refreshIfDue()
    }

    /// Writes what other servers show of this one's devices and rehearsals, if that is due. To be called about once a second,
    /// by one thread at a time.
    package func writeForOtherServers() throws {
        try context.openRehearsals?.writeIfDue(monotonicMicroseconds: context.monotonicMicroseconds)
        try context.downloads.writeIfDue(monotonicMicroseconds: context.monotonicMicroseconds)
    }

    /// Reads what answers devices. Call it once, before the first request.
    package func beginServing() throws { _ = try context.serving.current() }

    /// Reads again what answers devices, if a database elsewhere has changed, and what devices will ask for. To be called
    /// every second, by one thread at a time.
    ///
    /// - Returns: messages for the operator, one line each.
    package func refreshServing() throws -> [OperatorMessage] { try outages.refresh() }

    /// How old what answers devices is: since when it is unknown whether the database has changed; nil with a database in
    /// this process.
    package var servingAgeMicroseconds: Int64? { context.serving.freshness?.ageMicroseconds }

    /// Continues the clocks from what was stored when the server last ran. Call it once, before the first request.
    ///
    /// - Returns: messages for the operator, one line each.
    package func beginClock() throws -> [String] { try clock.begin() }

    /// Marks keys and tokens whose end has passed as ended, detects whether the time of day was set, and learns of signing
    /// keys that another server made or retired. To be called about once a second, by one thread at a time; with `isLast`
    /// before the program exits.
    ///
    /// - Returns: messages for the operator, one line each.
    package func tickClock(isLast: Bool = false) -> [String] {
        clock.tick(isLast: isLast) + (isLast ? [] : signingKeys.tick())
    }

    /// The address under which people and tools reach this server: scheme, host, and the path of its setting.
    package func publicBase(of head: RequestHead) -> String { PublicAddress.adminBase(head, context.services) }

    /// Answers only what devices and monitoring ask; every other path is answered with 404. For an address of its own.
    package var deviceHandler: any RequestHandler { deviceRouter }

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

    package func plan(for head: RequestHead) -> RequestPlan { router.plan(for: head) }
}

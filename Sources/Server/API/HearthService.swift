package import HearthHTTP
package import HearthIdentity
package import HearthMetrics
import HearthWire

/// The whole HTTP surface: one table of routes.
package final class HearthService: RequestHandler {
    /// Renders the refusals of the HTTP engine in the same envelope as the service's own.
    package static let errorRenderer: ErrorRenderer = HTTPFault.envelope

    /// What calls are counted against. Its gates know how many calls they refused.
    package let limiter: RateLimiters
    /// What `/metrics` shows. Whoever runs the service records the finished requests.
    package let metrics: ServerMetrics
    /// Devices that wait at this moment for news of their configuration.
    package var updateStreamCount: Int { updates.count }
    /// The names of the routes; `AccessLogEntry.route` counts them from 1.
    package let routeNames: [String]

    private let router: Router
    private let experiments: ExperimentMonitor
    private let clock: ExpiryMonitor
    private let updates: TemplateUpdates

    /// `log` gets one line for each failure that the caller was not told the reason of.
    package init(_ services: Services, log: @escaping @Sendable (String) -> Void = { _ in }) {
        let context = RouteContext(services: services, log: log)
        limiter = context.limiter
        experiments = ExperimentMonitor(context)
        clock = context.clockKeeper
        updates = context.updates
        let (devices, others) = Self.tables(context)
        let routes = CrossOrigin(services.allowedOrigins).allowing(devices) + others
        routeNames = routes.map(\.name) + [MetricsRoutes.pattern]
        metrics = ServerMetrics(version: HearthVersion.text, routes: routeNames)
        router = Router(
            routes + MetricsRoutes(context, metrics).routes, errors: Self.errorRenderer,
            fallback: UnsupportedStorageRoutes.answer)
    }

    static func routes(_ context: RouteContext) -> [Route] {
        let (devices, others) = tables(context)
        return devices + others
    }

    /// Those that devices call, with nothing but what an app has, and all others.
    private static func tables(_ context: RouteContext) -> (devices: [Route], others: [Route]) {
        let uploads = UploadService(context)
        let events = EventRoutes(context)
        let devices = [
            DownloadRoutes(context).routes, ConfigFetchRoutes(context).routes, ConfigUpdateRoutes(context).routes,
            InstallationRoutes(context).routes, events.deviceRoutes,
        ]
        let others = [
            ModelRoutes(context).routes, OperationRoutes(context).routes, VersionRoutes(context).routes,
            ReleaseRoutes(context).routes, UploadRoutes(uploads).routes,
            UnfinishedUploadRoutes(uploads).routes, StorageRoutes(uploads).routes, TemplateRoutes(context).routes,
            ExperimentRoutes(context).routes, GoogleExperimentRoutes(context).routes, events.adminRoutes,
            TokenRoutes(context).routes, HealthRoutes(context).routes, ProjectRoutes(context).routes,
            ServiceAccountRoutes(context).routes, APIKeyRoutes(context).routes, AdminTokenRoutes(context).routes,
            AuditRoutes(context).routes,
        ]
        return (devices.flatMap { $0 }, others.flatMap { $0 })
    }

    /// Ends the experiments that are over by themselves: a guardrail is harmed, or a winner declared. To be called once in a
    /// while, by one thread at a time.
    ///
    /// - Returns: one line for each.
    package func endDecidedExperiments() throws -> [String] { try experiments.endDecided() }

    /// Has the clocks go on from what was written down when the server ran last. Once, before the first call.
    ///
    /// - Returns: what an operator has to know, one line each.
    package func beginClock() throws -> [String] { try clock.begin() }

    /// Makes facts of what has ended, and sees whether the time of day was set. To be called every second or so, by one
    /// thread at a time; with `isLast` before the end of the program.
    ///
    /// - Returns: what an operator has to know, one line each.
    package func tickClock(isLast: Bool = false) -> [String] { clock.tick(isLast: isLast) }

    package func plan(for head: RequestHead) -> RequestPlan { router.plan(for: head) }
}

public import HearthHTTP

/// The whole HTTP surface: one table of routes.
public struct HearthService: RequestHandler {
    /// Renders the refusals of the HTTP engine in the same envelope as the service's own.
    public static let errorRenderer: ErrorRenderer = HTTPFault.envelope

    private let router: Router

    /// `log` gets one line for each failure that the caller was not told the reason of.
    public init(_ services: Services, log: @escaping @Sendable (String) -> Void = { _ in }) {
        let context = RouteContext(services: services, log: log)
        let tables = [
            ManagementRoutes(context).routes, UploadRoutes(context).routes, DownloadRoutes(context).routes,
            InstallationRoutes(context).routes, TokenRoutes(context).routes, HealthRoutes(context).routes,
        ]
        router = Router(tables.flatMap { $0 }, errors: Self.errorRenderer)
    }

    public func plan(for head: RequestHead) -> RequestPlan { router.plan(for: head) }
}

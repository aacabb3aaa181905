package import HearthDevicePlane
package import HearthHTTP
package import HearthMetrics
package import HearthRouting
package import HearthStorage
package import HearthWork

/// The whole HTTP interface of a server, for devices and for people: one table of routes.
package final class HearthService: RequestHandler {
    package let devices: DevicePlane
    package let management: Management
    /// What `/metrics` shows. The program that runs the service records the finished requests.
    package var metrics: ServerMetrics { monitoring.metrics }
    /// The names of the routes; `AccessLogEntry.route` counts them from 1.
    package let routeNames: [String]
    /// All calls that it answers.
    let routes: [CallRoute]

    private let monitoring: Monitoring
    private let router: Router

    /// - Parameters:
    ///   - otherRoutes: the names of routes that other handlers of the same server have. Their numbers follow those of
    ///     this service.
    ///   - log: gets one line for each failure whose reason the caller does not get.
    package init(
        _ services: Services, _ metadata: any MetadataStore, _ managing: ManagementServices,
        otherRoutes: [String] = [],
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let context = RouteContext(services: services, metadata: metadata, log: log)
        devices = DevicePlane(context, metadata)
        management = Management(context, metadata, managing, devices)
        let described = devices.routes + MonitoringRoutes(context, metadata).routes + management.routes
        let description = DescriptionRoutes(describing: described.map(\.call), context.coding)
        routes = described + description.routes
        let others = (management.routes + description.routes).map(\.route)
        monitoring = Monitoring(devices, otherRoutes: others.map(\.name) + otherRoutes)
        routeNames = monitoring.routeNames
        // Both routers give the routes of devices the same numbers.
        router = Router(
            monitoring.deviceRoutes + others, errors: HTTPFault.envelope, fallback: UnsupportedStorageRoutes.answer)
    }

    /// Answers only what devices and monitoring ask; every other path is answered with 404. For an address of its own.
    package var deviceHandler: any RequestHandler { monitoring.deviceHandler }

    /// For the console of this server.
    package var consoleServices: ConsoleServices {
        ConsoleServices(devices.context, management.consoleAccess, calls: self)
    }

    package func plan(for head: RequestHead) -> RequestPlan { router.plan(for: head) }

    /// What works beside the answers. The first parts make what the first answers need.
    package func parts(_ log: PartLog, messages: @escaping @Sendable ([OperatorMessage]) -> Void) -> [ServerPart] {
        devices.parts(log, messages: messages) + management.parts(log)
    }
}

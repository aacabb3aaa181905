package import HearthHTTP
package import HearthMetrics
import HearthRouting
import HearthWire

/// The answers of a device plane together with those to monitoring: `/healthz`, `/readyz` and `/metrics`.
package final class Monitoring: Sendable {
    /// What `/metrics` shows. The program that runs the plane records the finished requests.
    package let metrics: ServerMetrics
    /// The names of the routes; `AccessLogEntry.route` counts them from 1.
    package let routeNames: [String]
    /// Answers what devices and monitoring ask; every other path is answered with 404.
    package let deviceHandler: any RequestHandler
    package let deviceRoutes: [Route]

    /// - Parameter otherRoutes: the names of routes that other handlers of the same server have. Their numbers follow.
    package init(_ devices: DevicePlane, otherRoutes: [String] = []) {
        let context = devices.context
        let open =
            CrossOrigin(context.services.allowedOrigins).allowing(devices.routes.map(\.route))
            + MonitoringRoutes(context, devices.metadata).routes.map(\.route)
        routeNames = open.map(\.name) + [MetricsRoutes.pattern] + otherRoutes
        metrics = ServerMetrics(version: HearthVersion.text, routes: routeNames, models: devices.modelMetrics)
        devices.add(to: metrics)
        deviceRoutes = open + MetricsRoutes(context, metrics).routes
        deviceHandler = Router(deviceRoutes, errors: HTTPFault.envelope)
    }
}

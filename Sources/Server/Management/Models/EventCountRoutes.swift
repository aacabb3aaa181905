import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// `/hearth/v1/projects/{project}/events`: people read what devices reported.
struct EventCountRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    /// More rows than a project ever has: the days that are kept, times the events of a day that are counted
    /// separately.
    private static let rowLimit = 100_000

    var routes: [CallRoute] {
        [
            context.on(ExperimentCalls.events) { try summary($0) }
        ]
    }

    private func summary(_ call: ReadCall) throws -> EventBodies.Summary {
        let days = try call.read {
            try $0.eventDays(project: call.project.id, limit: Self.rowLimit)
        }
        let rows = days.map { day in
            EventBodies.Summary.Row(
                day: String(WireTime.text(day.day * 86_400_000_000).prefix(10)), event: day.event,
                model: day.model.isEmpty ? nil : day.model, count: day.count, sum: day.sum)
        }
        return EventBodies.Summary(events: rows.isEmpty ? nil : rows)
    }
}

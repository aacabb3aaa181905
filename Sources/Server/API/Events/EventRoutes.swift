import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire

/// `/hearth/v1/projects/{project}/events`: devices report what happened, people look at what came in.
struct EventRoutes {
    private let context: RouteContext
    private let intake: EventIntake

    init(_ context: RouteContext) {
        self.context = context
        intake = EventIntake(context)
    }

    private static let collection = "hearth/v1/projects/{project}/events"
    /// More than a project ever has: the days that are kept, with as many different events as are counted apart.
    private static let rowLimit = 100_000

    var deviceRoutes: [Route] {
        [
            Route(.post, Self.collection) { head, path in
                do {
                    let call = try context.device(head, project: context.projectID(path["project"]))
                    return .buffered(limitBytes: EventBodies.byteLimit) { head, bytes in take(call, head, bytes) }
                } catch {
                    return .answer(context.failure(head, error))
                }
            }
        ]
    }

    var adminRoutes: [Route] {
        [
            Route(.get, Self.collection) { head, path in
                context.inTurn(
                    head,
                    check: { try context.admin(head, project: context.projectID(path["project"]), atLeast: .viewer) }
                ) { call, _, _ in
                    try summary(call)
                }
            }
        ]
    }

    private func take(_ call: DeviceCall, _ head: RequestHead, _ bytes: [UInt8]) -> Outcome {
        do {
            let batch = try RequestJSON.decode(EventBodies.Batch.self, bytes, what: "a batch of events")
            try EventBatchForm.check(batch)
            return .deferred { reply in
                intake.take(batch, project: call.part.project.id, installation: call.installation.fid) { counted in
                    reply.resolve(
                        with: context.respond(head) {
                            try context.json(EventBodies.Answer(accepted: try counted.get()))
                        })
                }
            }
        } catch {
            return .respond(context.failure(head, error))
        }
    }

    private func summary(_ call: AdminCall) throws -> Response {
        let days = try context.services.metadata.read {
            try $0.eventDays(project: call.project.id, limit: Self.rowLimit)
        }
        let rows = days.map { day in
            EventBodies.Summary.Row(
                day: String(WireTime.text(day.day * 86_400_000_000).prefix(10)), event: day.event,
                model: day.model.isEmpty ? nil : day.model, count: day.count, sum: day.sum)
        }
        return try context.json(EventBodies.Summary(events: rows.isEmpty ? nil : rows))
    }
}

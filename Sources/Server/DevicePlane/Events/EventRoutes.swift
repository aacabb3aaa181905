import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthServing
import HearthWire

/// `/hearth/v1/projects/{project}/events`: devices report events.
struct EventRoutes {
    private let context: RouteContext
    private let intake: EventIntake

    init(_ context: RouteContext, _ intake: EventIntake) {
        self.context = context
        self.intake = intake
    }

    var routes: [CallRoute] {
        [
            CallRoute(DeviceCalls.sendEvents) { head, path in
                do {
                    let call = try context.deviceCall(head, project: path["project"])
                    return .buffered(limitBytes: EventBodies.byteLimit) { head, bytes in take(call, head, bytes) }
                } catch {
                    return .answer(context.failure(head, error))
                }
            }
        ]
    }

    private func take(_ call: DeviceCall, _ head: RequestHead, _ bytes: [UInt8]) -> Outcome {
        do {
            let batch = try RequestJSON.decodeFromDevice(EventBodies.Batch.self, bytes, what: "a batch of events")
            try EventBatchValidator.check(batch)
            return .deferred { reply in
                intake.take(batch, project: call.part.project.id, installation: call.installation.fid) { counted in
                    reply.resolve(
                        with: context.respond(head) {
                            try context.json(EventBodies.Response(accepted: try counted.get()))
                        })
                }
            }
        } catch {
            return .respond(context.failure(head, error))
        }
    }
}

/// Decides which batches of events are valid. A refused batch would be refused again, so the device drops it.
enum EventBatchValidator {

    static func check(_ batch: EventBodies.Batch) throws(APIError) {
        guard WireNames.isJournalName(batch.journal) else {
            throw refusal("journal", "A journal's name must have 22 letters, digits, hyphens or underscores.")
        }
        guard (1...EventBodies.itemLimit).contains(batch.items.count) else {
            throw refusal("items", "A batch must have 1 to \(EventBodies.itemLimit) items.")
        }
        var last: Int64 = 0
        for (index, item) in batch.items.enumerated() {
            guard item.sequence > last else {
                throw refusal("items.\(index).sequence", "Numbers begin at 1 and grow from item to item.")
            }
            last = item.sequence
            try check(item, "items.\(index)")
        }
    }

    private static func check(_ item: EventBodies.Item, _ field: String) throws(APIError) {
        guard Timestamp(rfc3339: item.time) != nil else {
            throw refusal("\(field).time", "This must be a time such as 2026-11-21T13:00:00Z.")
        }
        switch (item.event, item.exposure, item.health) {
        case (let event?, nil, nil):
            guard WireNames.isEventName(event.name) else {
                throw refusal(
                    "\(field).event.name",
                    "An event's name must begin with a letter and have at most 40 letters, digits and underscores.")
            }
            guard event.value.map({ abs($0) <= EventBodies.valueLimit }) ?? true else {
                throw refusal(
                    "\(field).event.value",
                    "An event's value must be between -\(Int64(EventBodies.valueLimit)) and \(Int64(EventBodies.valueLimit))."
                )
            }
            guard event.model.map(WireNames.isDisplayName) ?? true else {
                throw refusal("\(field).event.model", "An event must name its model by the model's display name.")
            }
        case (nil, let exposure?, nil):
            guard WireNames.isDisplayName(exposure.experiment), WireNames.isDisplayName(exposure.variant) else {
                throw refusal("\(field).exposure", "Experiments and variants are named by their names.")
            }
        case (nil, nil, let health?): try check(health, "\(field).health")
        default: throw refusal(field, "An item must be an event, an exposure or a model's health.")
        }
    }

    private static func check(_ health: ModelHealth, _ field: String) throws(APIError) {
        guard WireNames.isDisplayName(health.model) else {
            throw refusal("\(field).model", "A model is named by its display name.")
        }
        guard health.modelHash.utf8.count == 64, SHA256Digest(hex: health.modelHash) != nil else {
            throw refusal("\(field).modelHash", "A version is named by the SHA-256 of its file in lower-case hex.")
        }
        let codes = [health.loadFailures, health.crashes].compactMap { $0 }
        guard codes.allSatisfy({ $0.count <= ModelHealth.codeLimit && $0.keys.allSatisfy(ModelHealth.isCode) }) else {
            throw refusal(
                field, "There are at most \(ModelHealth.codeLimit) codes, of letters, digits, '.', '-' and '_'.")
        }
        let counts =
            [health.installed, health.rejected, health.loads, health.runs, health.failedRuns].compactMap { $0 }
            + codes.flatMap(\.values)
        guard counts.allSatisfy({ (0...ModelHealth.countLimit).contains($0) }) else {
            throw refusal(field, "Counts are from 0 to \(ModelHealth.countLimit).")
        }
    }

    private static func refusal(_ field: String, _ text: String) -> APIError { .invalid(field, text, message: text) }
}

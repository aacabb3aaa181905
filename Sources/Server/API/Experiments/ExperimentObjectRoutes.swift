import HearthCatalog
import HearthConfiguration
import HearthExperiments
import HearthHTTP
import HearthStorage
import HearthWire

/// Experiments as Google's own tools look at them: `…/namespaces/firebase/experiments`. They list, show and delete; what
/// they cannot say is at Hearth's own address.
struct ExperimentObjectRoutes {
    private let context: RouteContext
    private let editing: ExperimentEditing

    init(_ context: RouteContext) {
        self.context = context
        editing = ExperimentEditing(context: context)
    }

    private static let collection = "v1/projects/{project}/namespaces/{namespace}/experiments"
    private static let item = collection + "/{experiment}"

    var routes: [Route] {
        [
            Route(.get, Self.collection) { head, path in
                context.inTurn(head, check: { try call(head, path, .viewer) }) { call, head, _ in try list(call, head) }
            },
            Route(.get, Self.item) { head, path in
                context.answer(head) { try get(call(head, path, .viewer), path["experiment"]) }
            },
            Route(.delete, Self.item) { head, path in
                context.written(head, check: { try call(head, path, .publisher) }) { call, _, _ in
                    _ = try editing.delete(call, path["experiment"])
                    return .json(Array("{}".utf8))
                }
            },
        ]
    }

    private func call(_ head: RequestHead, _ path: RouteParameters, _ role: Role) throws -> AdminCall {
        let call = try context.admin(head, project: context.projectID(path["project"]), atLeast: role)
        guard try TemplatePath(path).namespace == .client else {
            throw APIError(.notFound, "Experiments are in the namespace 'firebase'.")
        }
        return call
    }

    private func list(_ call: AdminCall, _ head: RequestHead) throws -> Response {
        let page = try PageRequest(head.query, limit: context.services.limits.pageSize)
        let all = try context.services.metadata.read { try $0.experiments(project: call.project.id) }
        let first = Int(clamping: page.after)
        let shown = all.dropFirst(first).prefix(page.size)
        let objects = shown.compactMap { try? ExperimentObject($0, call.project) }
        return try context.json(
            ExperimentObject.List(
                experiments: objects.isEmpty ? nil : objects,
                nextPageToken: first + shown.count < all.count ? String(first + shown.count) : nil))
    }

    private func get(_ call: AdminCall, _ name: String) throws -> Response {
        let record = try context.services.metadata.read { try ExperimentEditing.record(name, call, $0) }
        return try context.json(ExperimentObject(record, call.project))
    }
}

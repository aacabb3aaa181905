import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire

/// How the check of a version goes on: `GET …/operations/{model id}-{version}`.
///
/// Operations are not kept anywhere: each is what its version is. One is done as soon as there is a verdict.
struct OperationRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    var routes: [Route] {
        [
            Route(.get, "v1beta2/projects/{project}/operations/{operation}") { head, path in
                context.answer(head) {
                    let call = try context.admin(head, project: path["project"], atLeast: .viewer)
                    return try context.json(try find(call, path["operation"]))
                }
            }
        ]
    }

    private func find(_ call: AdminCall, _ id: String) throws -> OperationResource {
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let modelID = Names.modelID(String(parts[0])),
            let number = Names.modelID(String(parts[1])).flatMap({ Int(exactly: $0) })
        else { throw APIError.notFound }
        return try context.services.metadata.read { store in
            guard let model = try store.model(id: modelID, project: call.project.id),
                let known = try store.known(number, of: model)
            else { throw APIError.notFound }
            if known.validation.verdict == .pending { return ModelPresentation.operation(on: number, of: model) }
            var done = OperationResource(
                try ModelPresentation.resource(
                    model, version: number, store, nowMicroseconds: context.services.now().microseconds))
            done.name = ModelPresentation.operationName(number, of: model)
            return done
        }
    }
}

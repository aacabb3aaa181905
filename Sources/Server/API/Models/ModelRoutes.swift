import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire

/// Create, list, get, change and delete models (`firebaseml` v1beta2). By numeric id only.
///
/// Google's system query items (`$.xgafv`, `alt`, `fields`, `key`, `prettyPrint` …) are accepted and have no effect.
struct ModelRoutes {
    private let context: RouteContext
    private let editing: ModelEditing

    init(_ context: RouteContext) {
        self.context = context
        editing = ModelEditing(services: context.services)
    }

    private static let collection = "v1beta2/projects/{project}/models"
    private static let item = "v1beta2/projects/{project}/models/{model}"

    var routes: [Route] {
        [
            Route(.post, Self.collection) { head, path in
                context.waiting(
                    head, check: { try context.admin(head, project: path["project"], atLeast: .publisher) }
                ) { call, _, bytes in
                    try editing.create(call, try Self.body(bytes))
                }
            },
            Route(.get, Self.collection) { head, path in
                // A filter may look through all models.
                context.inTurn(
                    head, check: { try context.admin(head, project: path["project"], atLeast: .viewer) }
                ) { call, head, _ in
                    try context.json(try ModelListing(head.query, context.services).list(call.project.id))
                }
            },
            Route(.get, Self.item) { head, path in
                context.answer(head) {
                    try get(context.admin(head, project: path["project"], atLeast: .viewer), path["model"])
                }
            },
            Route(.patch, Self.item) { head, path in
                context.waiting(
                    head, check: { try context.admin(head, project: path["project"], atLeast: .publisher) }
                ) { call, head, bytes in
                    let mask = try UpdateMask(head.query.first("updateMask") ?? head.query.first("update_mask"))
                    return try editing.update(
                        call, ModelID.parse(path["model"]), try Self.body(bytes), mask, ModelID.Match(head))
                }
            },
            Route(.delete, Self.item) { head, path in
                context.written(
                    head, check: { try context.admin(head, project: path["project"], atLeast: .publisher) }
                ) { call, head, _ in
                    try editing.delete(call, ModelID.parse(path["model"]), ModelID.Match(head))
                    return .json(Array("{}".utf8))
                }
            },
        ]
    }

    private func get(_ call: AdminCall, _ id: String) throws -> Response {
        let id = try ModelID.parse(id)
        var found = try context.services.metadata.read { store in
            guard let model = try store.model(id: id, project: call.project.id) else { throw APIError.notFound }
            return try ModelPresentation.resource(
                model, store, nowMicroseconds: context.services.now().microseconds)
        }
        if isFileMissing(found) { found.hearth?.fileMissing = true }
        return try context.json(found)
    }

    /// Whether the file of the newest version is not there in its whole length, or cannot be looked at.
    private func isFileMissing(_ model: ModelResource) -> Bool {
        guard let hash = model.modelHash, let digest = SHA256Digest(hex: hash), let size = model.tfliteModel?.sizeBytes
        else { return false }
        return (try? context.services.blobs.size(of: digest)).map(String.init) != size
    }

    private static func body(_ bytes: [UInt8]) throws(APIError) -> ModelRequest {
        try RequestJSON.decodeLenient(ModelRequest.self, bytes, what: "a model resource")
    }
}

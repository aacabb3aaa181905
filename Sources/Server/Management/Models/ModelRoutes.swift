import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// Creates, lists, reads, changes and deletes models (`firebaseml` v1beta2). Models are named by their numeric ids
/// only.
///
/// Google's system query items (`$.xgafv`, `alt`, `fields`, `key`, `prettyPrint` …) are accepted and have no effect.
struct ModelRoutes {
    private let context: RouteContext
    private let editing: ModelEditing

    init(_ context: RouteContext, _ verdicts: VerdictWait) {
        self.context = context
        editing = ModelEditing(services: context.services, verdicts: verdicts)
    }

    var routes: [CallRoute] {
        [
            CallRoute(ModelCalls.create) { head, path in
                context.queuedWriteAwaitingCheck(
                    head, check: { try context.adminCall(head, project: path["project"], atLeast: .publisher) }
                ) { call, _, bytes in
                    try editing.create(call, try Self.body(bytes))
                }
            },
            CallRoute(ModelCalls.list) { head, path in
                // A filter may read all models.
                context.queued(
                    head, check: { try context.adminCall(head, project: path["project"], atLeast: .viewer) }
                ) { call, head, _ in
                    try context.json(try ModelListing(head.query, context.services).list(call.project.id))
                }
            },
            CallRoute(ModelCalls.get) { head, path in
                context.lookUp(head) {
                    try get(context.adminCall(head, project: path["project"], atLeast: .viewer), path["model"])
                }
            },
            CallRoute(ModelCalls.update) { head, path in
                context.queuedWriteAwaitingCheck(
                    head, check: { try context.adminCall(head, project: path["project"], atLeast: .publisher) }
                ) { call, head, bytes in
                    let mask = try UpdateMask(head.query.first("updateMask") ?? head.query.first("update_mask"))
                    return try editing.update(
                        call, ModelID.parse(path["model"]), try Self.body(bytes), mask, ModelID.ModelPrecondition(head))
                }
            },
            CallRoute(ModelCalls.delete) { head, path in
                context.queuedWrite(
                    head, check: { try context.adminCall(head, project: path["project"], atLeast: .publisher) }
                ) { call, head, _ in
                    try editing.delete(call, ModelID.parse(path["model"]), ModelID.ModelPrecondition(head))
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

    /// Whether the file of the newest version is missing, has another size, or cannot be read.
    private func isFileMissing(_ model: ModelResource) -> Bool {
        // A store elsewhere is not asked, because this runs on the HTTP server's threads.
        guard context.services.blobs.knowsSizesAtOnce, let hash = model.modelHash, let digest = SHA256Digest(hex: hash),
            let size = model.tfliteModel?.sizeBytes
        else { return false }
        return (try? context.services.blobs.size(of: digest)).map(String.init) != size
    }

    private static func body(_ bytes: [UInt8]) throws(APIError) -> ModelRequest {
        try RequestJSON.decodeLenient(ModelRequest.self, bytes, what: "a model resource")
    }
}

/// One page of a project's models, oldest first.
struct ModelListing {
    private let page: PageRequest
    private let filter: ListFilter?
    private let services: Services

    private static let batchSize = 200

    init(_ query: QueryItems, _ services: Services) throws {
        page = try PageRequest(query, limit: services.limits.pageSize)
        filter = try Self.filter(query.first("filter") ?? "")
        self.services = services
    }

    private static func filter(_ text: String) throws(APIError) -> ListFilter? {
        guard !text.isEmpty else { return nil }
        do throws(CatalogError) {
            return try ListFilter(text)
        } catch {
            // Existing tools compare the message, so the terms of a filter are in the details.
            throw .invalid(
                "filter",
                "A filter has terms such as displayName = x, displayName : x*, tags : t, state.published = true, joined by "
                    + "AND, OR, NOT and parentheses.", message: error.message)
        }
    }

    func list(_ project: String) throws -> ModelList {
        // One model more than the page shows whether there is a next page.
        var found: [Model] = []
        let now = services.now().microseconds
        let resources = try services.metadata.read { store in
            var after = page.after
            while found.count <= page.size {
                let batch = try store.models(project: project, after: after, limit: Self.batchSize)
                guard let last = batch.last else { break }
                after = last.id
                found += batch.filter { filter?.matches($0) ?? true }
            }
            return try found.prefix(page.size).map { model in
                try ModelPresentation.resource(model, store, nowMicroseconds: now)
            }
        }
        let next = found.count > page.size ? String(found[page.size - 1].id) : nil
        return ModelList(models: resources.isEmpty ? nil : resources, nextPageToken: next)
    }
}

/// The state of a version's validation: `GET …/operations/{model id}-{version}`.
///
/// Operations are not stored: each shows the state of its version, and is done as soon as there is a verdict.
struct OperationRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    var routes: [CallRoute] {
        [
            CallRoute(ModelCalls.operation) { head, path in
                context.lookUp(head) {
                    let call = try context.adminCall(head, project: path["project"], atLeast: .viewer)
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

import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire

/// Create, list, get, change and delete models (`firebaseml` v1beta2). By numeric id only.
struct ManagementRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    private static let collection = "v1beta2/projects/{project}/models"
    private static let item = "v1beta2/projects/{project}/models/{model}"

    var routes: [Route] {
        [
            Route(.post, Self.collection) { head, path in
                context.buffered(
                    head, check: { try context.admin(head, project: path["project"], atLeast: .publisher) }
                ) {
                    try create($0, $2)
                }
            },
            Route(.get, Self.collection) { head, path in
                context.answer(head) {
                    try list(context.admin(head, project: path["project"], atLeast: .viewer), head.query)
                }
            },
            Route(.get, Self.item) { head, path in
                context.answer(head) {
                    try get(context.admin(head, project: path["project"], atLeast: .viewer), path["model"])
                }
            },
            Route(.patch, Self.item) { head, path in
                context.buffered(
                    head, check: { try context.admin(head, project: path["project"], atLeast: .publisher) }
                ) {
                    try update($0, path["model"], $1.query, $2)
                }
            },
            Route(.delete, Self.item) { head, path in
                context.answer(head) {
                    try delete(context.admin(head, project: path["project"], atLeast: .publisher), path["model"])
                }
            },
        ]
    }

    private func create(_ call: AdminCall, _ bytes: [UInt8]) throws -> Response {
        let body = try Self.body(bytes)
        let (edit, uri) = try UpdateMask(nil).edit(body)
        return try operation {
            try context.services.metadata.write { store in
                var edit = edit
                edit.upload = try uri.map { try upload($0, call, store) }
                let change = try ModelLifecycle.create(
                    id: store.nextModelID(), projectID: call.project.id, edit: edit,
                    isTaken: isTaken(edit.displayName, except: nil, call, store), context: lifecycleContext(call))
                try store.insert(change.model)
                try save(change, store)
                return try resource(change.model, store)
            }
        }
    }

    private func update(
        _ call: AdminCall, _ id: String, _ query: QueryItems, _ bytes: [UInt8]
    ) throws -> Response {
        guard let id = Names.modelID(id) else { throw APIError.invalidArgument }
        let body = try Self.body(bytes)
        let (edit, uri) = try UpdateMask(query.first("updateMask") ?? query.first("update_mask")).edit(body)
        return try operation {
            try context.services.metadata.write { store in
                guard let model = try store.model(id: id, project: call.project.id) else {
                    throw CatalogError(
                        .notFound, "Model 'projects/\(call.project.id)/models/\(id)' was not found")
                }
                var edit = edit
                edit.upload = try uri.map { try upload($0, call, store) }
                let change = try ModelLifecycle.update(
                    state(of: model, store), edit: edit,
                    isTaken: isTaken(edit.displayName, except: id, call, store), context: lifecycleContext(call))
                if change.model != model { try store.update(change.model) }
                try save(change, store)
                return try resource(change.model, store)
            }
        }
    }

    private func get(_ call: AdminCall, _ id: String) throws -> Response {
        guard let id = Names.modelID(id) else { throw APIError.invalidArgument }
        let found = try context.services.metadata.read { store in
            guard let model = try store.model(id: id, project: call.project.id) else { throw APIError.notFound }
            return try resource(model, store)
        }
        return try context.json(found)
    }

    private func delete(_ call: AdminCall, _ id: String) throws -> Response {
        guard let id = Names.modelID(id) else { throw APIError.invalidArgument }
        try context.services.metadata.write { store in
            guard let model = try store.model(id: id, project: call.project.id) else { throw APIError.notFound }
            try store.delete(model)
            try store.append(
                AuditEntry(
                    projectID: model.projectID, actor: call.actor, action: "model.delete", subject: "models/\(id)",
                    detail: model.displayName, atMicroseconds: context.services.now().microseconds))
        }
        return .json(Array("{}".utf8))
    }

    private func list(_ call: AdminCall, _ query: QueryItems) throws -> Response {
        let page = try Self.page(query, limit: context.services.limits.pageSize)
        let filter = try query.first("filter").flatMap { $0.isEmpty ? nil : try ListFilter($0) }
        let found = try context.services.metadata.read { store in
            // One more than the page tells whether there is a next one. A filter may need several looks.
            var found: [ModelResource] = []
            var after = page.after
            while found.count <= page.size {
                let batch = try store.models(project: call.project.id, after: after, limit: 200)
                guard let last = batch.last else { break }
                after = last.id
                for model in batch where filter?.matches(model) ?? true {
                    found.append(try resource(model, store))
                }
            }
            return found
        }
        let models = Array(found.prefix(page.size))
        let next = found.count > page.size ? models.last?.name?.split(separator: "/").last.map(String.init) : nil
        return try context.json(ModelList(models: models.isEmpty ? nil : models, nextPageToken: next))
    }

    /// Existing tools expect refused state changes as finished operations with an error, under HTTP 200.
    private func operation(_ body: () throws -> ModelResource) throws -> Response {
        do {
            return try context.json(OperationResource(try body()))
        } catch let error as CatalogError where error.code != .invalidArgument {
            return try context.json(OperationResource(error: RPCStatus(APIError.status(of: error), error.message)))
        }
    }

    private func upload(
        _ uri: String, _ call: AdminCall, _ store: any MetadataReader
    ) throws -> (object: UploadedObject, validation: Validation) {
        let (bucket, name) = try FileReference.object(uri)
        guard let object = try store.object(bucket: bucket, name: name, project: call.project.id) else {
            throw APIError(.invalidArgument, "There is no uploaded file gs://\(bucket)/\(name); upload it first.")
        }
        guard let validation = try store.validation(sha256: object.sha256) else {
            throw StorageError(.corrupt, "There is no verdict on the file \(object.uri)")
        }
        return (object, validation)
    }

    private func isTaken(
        _ displayName: String?, except id: Int64?, _ call: AdminCall, _ store: any MetadataReader
    ) throws -> Bool {
        guard let displayName else { return false }
        guard let other = try store.model(displayName: displayName, project: call.project.id) else { return false }
        return other.id != id
    }

    private func resource(_ model: Model, _ store: any MetadataReader) throws -> ModelResource {
        ModelPresentation.resource(model, newest: try known(model.newestVersion, of: model, store))
    }

    private func known(
        _ number: Int?, of model: Model, _ store: any MetadataReader
    ) throws -> ModelLifecycle.KnownVersion? {
        guard let number, let version = try store.version(number, model: model.id),
            let validation = try store.validation(sha256: version.sha256)
        else { return nil }
        return ModelLifecycle.KnownVersion(version: version, validation: validation)
    }

    private func state(of model: Model, _ store: any MetadataReader) throws -> ModelLifecycle.State {
        ModelLifecycle.State(
            model: model, newest: try known(model.newestVersion, of: model, store),
            released: try known(model.releasedVersion, of: model, store), releases: try store.releases(model: model.id))
    }

    private func save(_ change: ModelLifecycle.Change, _ store: any MetadataWriter) throws {
        if let version = change.newVersion { try store.insert(version) }
        for release in change.changedReleases { try store.update(release) }
        for release in change.newReleases { try store.insert(release) }
        for entry in change.audit { try store.append(entry) }
    }

    private func lifecycleContext(_ call: AdminCall) -> ModelLifecycle.Context {
        .init(actor: call.actor, nowMicroseconds: context.services.now().microseconds)
    }

    private static func body(_ bytes: [UInt8]) throws -> ModelResource {
        do {
            return try WireJSON.decodeRequest(ModelResource.self, from: bytes)
        } catch {
            throw APIError(.invalidArgument, "The body is not a model resource in JSON.")
        }
    }

    private static func page(_ query: QueryItems, limit: Int) throws -> (size: Int, after: Int64) {
        var size = limit
        if let text = query.first("pageSize") ?? query.first("page_size"), !text.isEmpty {
            guard let wanted = Int(text), wanted >= 0 else { throw APIError.invalidArgument }
            size = wanted == 0 ? limit : min(wanted, limit)
        }
        guard let token = query.first("pageToken") ?? query.first("page_token"), !token.isEmpty else {
            return (size, 0)
        }
        guard let after = Names.modelID(token) else { throw APIError.invalidArgument }
        return (size, after)
    }
}

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
            context.onPending(ModelCalls.create) { try editing.create($0) },
            // A filter may read all models.
            context.on(ModelCalls.list) { (call: ReadCall) in try ModelListing(call, context.services).list() },
            context.on(ModelCalls.get) { try get($0) },
            context.onPending(ModelCalls.update) { try editing.update($0) },
            context.onResponse(ModelCalls.delete) { (call: ChangeCall<NoBody>) in
                try editing.delete(call)
                return .emptyObject
            },
        ]
    }

    private func get(_ call: ReadCall) throws -> ModelResource {
        let id = try ModelID.parse(call.path["model"])
        var found = try call.read { store in
            guard let model = try store.model(id: id, project: call.project.id) else { throw APIError.notFound }
            return try ModelPresentation.resource(
                model, store, nowMicroseconds: context.services.now().microseconds)
        }
        if isFileMissing(found) { found.hearth?.fileMissing = true }
        return found
    }

    /// Whether the file of the newest version is missing, has another size, or cannot be read.
    private func isFileMissing(_ model: ModelResource) -> Bool {
        // A store elsewhere is not asked, because this runs on the HTTP server's threads.
        guard context.services.blobs.knowsSizesAtOnce, let hash = model.modelHash, let digest = SHA256Digest(hex: hash),
            let size = model.tfliteModel?.sizeBytes
        else { return false }
        return (try? context.services.blobs.size(of: digest)).map(String.init) != size
    }
}

/// One page of a project's models, oldest first.
struct ModelListing {
    private let call: ReadCall
    private let page: PageQuery
    private let filter: ListFilter?
    private let services: Services

    private static let batchSize = 200

    init(_ call: ReadCall, _ services: Services) throws {
        self.call = call
        page = try PageQuery(call.query, limit: services.limits.pageSize)
        filter = try Self.filter(call.query.first("filter") ?? "")
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

    func list() throws -> ModelList {
        // One model more than the page shows whether there is a next page.
        var found: [Model] = []
        let now = services.now().microseconds
        let resources = try call.read { store in
            var after = page.after
            while found.count <= page.size {
                let batch = try store.models(project: call.project.id, after: after, limit: Self.batchSize)
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
            context.on(ModelCalls.operation) { try find($0) }
        ]
    }

    private func find(_ call: ReadCall) throws -> OperationResource {
        let parts = call.path["operation"].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let modelID = Names.modelID(String(parts[0])),
            let number = Names.modelID(String(parts[1])).flatMap({ Int(exactly: $0) })
        else { throw APIError.notFound }
        return try call.read { store in
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

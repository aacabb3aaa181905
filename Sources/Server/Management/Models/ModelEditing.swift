import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// Changes of models through the management API, one transaction each.
///
/// A call about a file that is still being validated waits for the verdict before it writes. So the rules see the
/// verdict, and the caller gets the same answer as for a file that was validated long ago. Only if the wait ends
/// without a verdict does the caller get an unfinished operation.
struct ModelEditing: Sendable {
    let services: Services
    let verdicts: VerdictWait

    func create(_ call: ChangeCall<ModelResource>) throws -> PendingAnswer<OperationResource> {
        let (edit, uri) = try UpdateMask(nil).edit(Self.body(call))
        let pending = try uri.flatMap { uri in
            try call.read { try Self.pendingHash(of: uri, call.caller, $0) }
        }
        return try answer(after: pending) {
            try operation(call, awaits: pending != nil) { store, rules in
                var edit = edit
                edit.upload = try uri.map { try UploadedFile.find($0, in: call.project.id, store) }
                let change = try ModelLifecycle.create(
                    id: store.nextModelID(), projectID: call.project.id, edit: edit,
                    isTaken: Self.isTaken(edit.displayName, except: nil, call.caller, store), context: rules)
                try store.insert(change.model)
                return change
            }
        }
    }

    func update(_ call: ChangeCall<ModelResource>) throws -> PendingAnswer<OperationResource> {
        let mask = try UpdateMask(call.query.first("updateMask") ?? call.query.first("update_mask"))
        let (id, match) = (try ModelID.parse(call.path["model"]), ModelID.ModelPrecondition(call.head))
        let (edit, uri) = try mask.edit(Self.body(call))
        let pending = try call.read { store in
            if let uri { return try Self.pendingHash(of: uri, call.caller, store) }
            guard edit.published == true, let model = try store.model(id: id, project: call.project.id) else {
                return nil
            }
            return try store.known(model.newestVersion, of: model).flatMap(Self.pendingHash)
        }
        return try answer(after: pending) {
            try operation(call, awaits: pending != nil) { store, rules in
                guard let model = try store.model(id: id, project: call.project.id) else {
                    throw CatalogError(.notFound, "Model 'projects/\(call.project.id)/models/\(id)' was not found")
                }
                try match.check(model)
                if let name = edit.displayName, name != model.displayName {
                    try checkIsNotInExperiment(model, store)
                }
                var edit = edit
                edit.upload = try uri.map { try UploadedFile.find($0, in: call.project.id, store) }
                return try ModelLifecycle.update(
                    store.state(of: model, nowMicroseconds: rules.nowMicroseconds), edit: edit,
                    isTaken: Self.isTaken(edit.displayName, except: id, call.caller, store), context: rules)
            }
        }
    }

    private static func body(_ call: ChangeCall<ModelResource>) throws(APIError) -> ModelRequest {
        try RequestJSON.decodeLenient(ModelRequest.self, call.bytes, what: "a model resource")
    }

    func delete(_ call: ChangeCall<NoBody>) throws {
        let (id, match) = (try ModelID.parse(call.path["model"]), ModelID.ModelPrecondition(call.head))
        try call.change { store, log in
            guard let model = try store.model(id: id, project: call.project.id) else { throw APIError.notFound }
            try match.check(model)
            try checkIsNotInExperiment(model, store)
            try store.delete(model)
            try log.add("model.delete", "models/\(id)", model.displayName)
        }
    }

    /// Experiments name models by their display names, so a model in a running experiment keeps its name.
    private func checkIsNotInExperiment(_ model: Model, _ store: any MetadataReader) throws {
        guard let name = try ExperimentDependencies.experiments(varying: model, store).first else { return }
        throw CatalogError(
            .failedPrecondition, "The experiment '\(name)' compares versions of this model; stop it first.")
    }

    private func answer(
        after sha256: String?, _ body: @escaping @Sendable () throws -> OperationResource
    ) throws -> PendingAnswer<OperationResource> {
        guard let sha256 else { return .ready(try body()) }
        return .later(verdicts.wait(for: sha256), then: body)
    }

    /// Existing tools expect refused state changes as finished operations with an error, under HTTP 200.
    ///
    /// - Parameter awaits: whether the call is about the file that is still being validated. Only then may the
    ///   operation be unfinished.
    private func operation(
        _ call: ChangeCall<ModelResource>, awaits: Bool,
        _ decide: (any MetadataWriter, ModelLifecycle.Context) throws -> ModelLifecycle.Change
    ) throws -> OperationResource {
        let rules = ModelLifecycle.Context(actor: call.actor, nowMicroseconds: services.now().microseconds)
        do {
            return try call.write { store in
                let change = try decide(store, rules)
                try store.save(change)
                return try Self.result(
                    of: change, awaits: awaits || change.newVersion != nil, store,
                    nowMicroseconds: rules.nowMicroseconds)
            }
        } catch let error as CatalogError where error.code != .invalidArgument {
            return Self.failed(error)
        }
    }

    private static func result(
        of change: ModelLifecycle.Change, awaits: Bool, _ store: any MetadataReader, nowMicroseconds: Int64
    ) throws -> OperationResource {
        if let refusal = change.refusal { return failed(refusal) }
        let newest = try store.known(change.model.newestVersion, of: change.model)
        if awaits, let newest, newest.validation.verdict == .pending {
            return ModelPresentation.operation(on: newest.version.number, of: change.model)
        }
        var resource = try ModelPresentation.resource(change.model, store, nowMicroseconds: nowMicroseconds)
        if !change.warnings.isEmpty { resource.hearth?.contractChanges = change.warnings }
        if change.existingRelease != nil { resource.hearth?.alreadyPublished = true }
        return OperationResource(resource)
    }

    private static func failed(_ error: CatalogError) -> OperationResource {
        OperationResource(error: RPCStatus(APIError.status(of: error), error.message))
    }

    private static func pendingHash(
        of uri: String, _ call: AdminCall, _ store: any MetadataReader
    ) throws -> String? {
        let (object, validation) = try UploadedFile.find(uri, in: call.project.id, store)
        return validation.verdict == .pending ? object.sha256 : nil
    }

    private static func pendingHash(_ known: ModelLifecycle.KnownVersion) -> String? {
        known.validation.verdict == .pending ? known.version.sha256 : nil
    }

    private static func isTaken(
        _ displayName: String?, except id: Int64?, _ call: AdminCall, _ store: any MetadataReader
    ) throws -> Bool {
        guard let displayName,
            let other = try store.model(displayName: displayName, project: call.project.id)
        else { return false }
        return other.id != id
    }
}

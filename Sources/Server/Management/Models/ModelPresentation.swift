import HearthCalls
import HearthCatalog
import HearthStorage
import HearthWire

/// How a model and its operations look on the wire.
enum ModelPresentation {
    /// The model at that moment, with its newest version or the one with the given number.
    static func resource(
        _ model: Model, version: Int? = nil, _ store: any MetadataReader, nowMicroseconds: Int64
    ) throws -> ModelResource {
        let releases = model.isPublished ? try store.releases(model: model.id) : []
        var resource = resource(
            model, showing: try store.known(version ?? model.newestVersion, of: model),
            releasedVersion: ReleaseLifecycle.releasedVersion(releases, nowMicroseconds: nowMicroseconds))
        let rollouts = ReleaseLifecycle.rollouts(releases, nowMicroseconds: nowMicroseconds)
        guard !rollouts.isEmpty else { return resource }
        resource.hearth?.rollouts = rollouts.map {
            ReleasePresentation.release($0, nowMicroseconds: nowMicroseconds)
        }
        return resource
    }

    /// The texts of `validationError` are those that existing tools and their tests expect. The exact problem is in
    /// `hearth.validationDetail`.
    private static func resource(
        _ model: Model, showing known: ModelLifecycle.KnownVersion?, releasedVersion: Int?
    ) -> ModelResource {
        var resource = ModelResource()
        resource.name = name(of: model)
        resource.displayName = model.displayName
        resource.tags = model.tags.isEmpty ? nil : model.tags
        resource.createTime = WireTime.text(model.createdMicroseconds)
        resource.updateTime = WireTime.text(model.updatedMicroseconds)
        resource.etag = etag(of: model)
        var state = ModelResource.State(published: model.isPublished ? true : nil)
        var hearth = ModelResource.HearthFields(version: known?.version.number, releasedVersion: releasedVersion)
        hearth.publishWhenValidated = model.publishWhenValidated
        hearth.contractCheck = model.contractCheck == .warn ? nil : model.contractCheck.rawValue
        hearth.rehearsalRequire = model.rehearsalGate
        hearth.rehearsalCheck = model.rehearsalCheck == .warn ? nil : model.rehearsalCheck.rawValue
        if let known {
            resource.tfliteModel = .init(gcsTfliteUri: known.version.sourceURI)
            switch known.validation.verdict {
            case .pending:
                resource.activeOperations = [operation(on: known.version.number, of: model)]
            case .malformed(let detail):
                state.validationError = RPCStatus(.invalidArgument, "Invalid flatbuffer format")
                hearth.validationDetail = detail
            case .unsupported(let warning):
                hearth.warning = warning
                fill(&resource, &hearth, known)
            case .ok:
                fill(&resource, &hearth, known)
            }
        } else {
            state.validationError = RPCStatus(.failedPrecondition, "No model file has been uploaded.")
        }
        resource.state = state == .init() ? nil : state
        resource.hearth = hearth == .init() ? nil : hearth
        return resource
    }

    static func name(of model: Model) -> String { "projects/\(model.projectID)/models/\(model.id)" }

    static func etag(of model: Model) -> String { "\(model.id)-\(model.revision)" }

    /// The validation of a version that has no verdict yet.
    static func operation(on version: Int, of model: Model) -> OperationResource {
        OperationResource(name: operationName(version, of: model), model: name(of: model))
    }

    static func operationName(_ version: Int, of model: Model) -> String {
        "projects/\(model.projectID)/operations/\(model.id)-\(version)"
    }

    private static func fill(
        _ resource: inout ModelResource, _ hearth: inout ModelResource.HearthFields,
        _ known: ModelLifecycle.KnownVersion
    ) {
        resource.tfliteModel?.sizeBytes = String(known.version.sizeBytes)
        resource.modelHash = known.version.sha256
        hearth.contract = known.contract
    }
}

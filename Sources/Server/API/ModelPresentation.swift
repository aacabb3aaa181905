import Foundation
import HearthCatalog
import HearthWire

/// How a model looks on the wire.
enum ModelPresentation {
    /// The texts of `validationError` are the ones that existing tools and their tests know; what exactly is wrong
    /// stands in `hearth.validationDetail`.
    static func resource(_ model: Model, newest: ModelLifecycle.KnownVersion?) -> ModelResource {
        var resource = ModelResource()
        resource.name = "projects/\(model.projectID)/models/\(model.id)"
        resource.displayName = model.displayName
        resource.tags = model.tags.isEmpty ? nil : model.tags
        resource.createTime = time(model.createdMicroseconds)
        resource.updateTime = time(model.updatedMicroseconds)
        resource.etag = "\(model.id)-\(model.revision)"
        var state = ModelResource.State(published: model.isPublished ? true : nil)
        var hearth = ModelResource.HearthFields(version: model.newestVersion, releasedVersion: model.releasedVersion)
        if let newest {
            resource.tfliteModel = .init(gcsTfliteUri: newest.version.sourceURI)
            switch newest.validation.verdict {
            case .pending: break
            case .malformed(let detail):
                state.validationError = RPCStatus(.invalidArgument, "Invalid flatbuffer format")
                hearth.validationDetail = detail
            case .unsupported(let warning):
                hearth.warning = warning
                fill(&resource, &hearth, newest)
            case .ok:
                fill(&resource, &hearth, newest)
            }
        } else {
            state.validationError = RPCStatus(.failedPrecondition, "No model file has been uploaded.")
        }
        resource.state = state == .init() ? nil : state
        resource.hearth = hearth == .init() ? nil : hearth
        return resource
    }

    private static func fill(
        _ resource: inout ModelResource, _ hearth: inout ModelResource.HearthFields,
        _ known: ModelLifecycle.KnownVersion
    ) {
        resource.tfliteModel?.sizeBytes = String(known.version.sizeBytes)
        resource.modelHash = known.version.sha256
        hearth.contract = known.validation.contractJSON.flatMap {
            try? WireJSON.decode(ModelContract.self, from: $0.utf8)
        }
    }

    /// Six fraction digits: the Python client parses nothing else.
    private static func time(_ microseconds: Int64) -> String {
        Timestamp(microseconds: microseconds).rfc3339(fractionDigits: 6)
    }
}

import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// The model, version or release that a path of Hearth's own API names.
struct ModelPath {
    private let projectID: String
    private let modelID: Int64

    init(_ call: some LaneCall<AdminCall>) throws(APIError) { try self.init(call.caller, call.path) }

    init(_ call: AdminCall, _ path: RouteParameters) throws(APIError) {
        projectID = call.project.id
        modelID = Int64(try Self.number(path["model"], "model"))
    }

    func model(_ store: any MetadataReader) throws -> Model {
        guard let model = try store.model(id: modelID, project: projectID) else {
            throw APIError(.notFound, "The project '\(projectID)' has no model \(modelID).")
        }
        return model
    }

    /// A version of the model; the newest if `number` is nil.
    static func version(
        _ number: Int?, of model: Model, _ store: any MetadataReader
    ) throws -> ModelLifecycle.KnownVersion {
        guard let number = number ?? model.newestVersion else {
            throw CatalogError(
                .failedPrecondition, "The model '\(model.displayName)' has no file yet; upload one first.")
        }
        guard let known = try store.known(number, of: model) else {
            throw APIError(.notFound, "The model '\(model.displayName)' has no version \(number).")
        }
        return known
    }

    /// The version of the model that a path or a query names: by its number, or by an alias.
    static func version(
        named text: String, of model: Model, _ store: any MetadataReader
    ) throws -> ModelLifecycle.KnownVersion {
        guard WireNames.isVersionAlias(text) else {
            guard let number = Names.modelID(text).flatMap({ Int(exactly: $0) }) else {
                let text = "A version is named by its number, or by an alias."
                throw APIError.invalid("version", text, message: text)
            }
            return try version(number, of: model, store)
        }
        return try version(alias(text, of: model, store).version, of: model, store)
    }

    static func alias(_ name: String, of model: Model, _ store: any MetadataReader) throws -> VersionAlias {
        guard let alias = try store.aliases(model: model.id).first(where: { $0.name == name }) else {
            throw APIError(.notFound, "The model '\(model.displayName)' has no alias '\(OneLineText.word(name))'.")
        }
        return alias
    }

    static func number(_ text: String, _ what: String) throws(APIError) -> Int {
        guard let number = Names.modelID(text).flatMap({ Int(exactly: $0) }) else {
            let text = "A \(what) is named by its number."
            throw .invalid(what, text, message: text)
        }
        return number
    }
}

extension ModelLifecycle.KnownVersion {
    /// This version, if it may be run on images.
    func runnable() throws(CatalogError) -> ModelLifecycle.KnownVersion {
        switch validation.verdict {
        case .ok, .unsupported: return self
        case .pending:
            throw CatalogError(.failedPrecondition, "Version \(version.number) is still being validated; try again.")
        case .malformed: throw CatalogError(.failedPrecondition, "Version \(version.number) is not a valid model.")
        }
    }
}

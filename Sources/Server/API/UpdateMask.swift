import HearthCatalog
import HearthWire

/// Which fields a PATCH changes.
///
/// Without a mask, the writable fields that the body has; with one, exactly those named, and a field that the body
/// lacks takes its default. Output-only fields are ignored, in the body and in the mask.
struct UpdateMask {
    private let fields: Set<String>?

    private static let writable: Set<String> = [
        "displayName", "tags", "state", "state.published", "tfliteModel", "tfliteModel.gcsTfliteUri",
    ]
    private static let outputOnly: Set<String> = [
        "name", "createTime", "updateTime", "etag", "modelHash", "activeOperations", "state.validationError",
        "tfliteModel.sizeBytes", "hearth",
    ]

    init(_ text: String?) throws(APIError) {
        guard let text, !text.isEmpty else {
            fields = nil
            return
        }
        let names = text.filter { $0 != " " }.split(separator: ",").map { Self.camelCase($0) }
        guard names.allSatisfy({ Self.writable.contains($0) || Self.outputOnly.contains($0) }) else {
            throw .invalidArgument
        }
        fields = Set(names)
    }

    func edit(_ body: ModelResource) -> (edit: ModelLifecycle.Edit, fileURI: String?) {
        var edit = ModelLifecycle.Edit()
        edit.displayName = names("displayName") ? body.displayName ?? "" : body.displayName
        edit.tags = names("tags") ? body.tags ?? [] : body.tags
        edit.published = names("state.published") ? body.state?.published ?? false : body.state?.published
        let uri = body.tfliteModel?.gcsTfliteUri
        guard fields != nil else { return (edit, uri) }
        if !names("displayName") { edit.displayName = nil }
        if !names("tags") { edit.tags = nil }
        if !names("state.published") { edit.published = nil }
        return (edit, names("tfliteModel.gcsTfliteUri") ? uri : nil)
    }

    /// Whether the mask names the field or the object that holds it.
    private func names(_ field: String) -> Bool {
        guard let fields else { return false }
        return fields.contains(field) || field.split(separator: ".").first.map { fields.contains(String($0)) } == true
    }

    private static func camelCase(_ text: Substring) -> String {
        var parts = text.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            parts[index] = parts[index].prefix(1).uppercased() + parts[index].dropFirst()
        }
        return parts.joined()
    }
}

import HearthCatalog
import HearthRouting

/// The fields that a PATCH changes.
///
/// Without a mask, or with `*`, it changes the writable fields that the body has. With another mask, it changes exactly
/// the fields that the mask names; a tag list, published flag, check or gate that the body lacks gets its default. A
/// file that the body lacks stays, because a model always keeps its last file. Output-only fields are ignored, in the
/// body and in the mask.
struct UpdateMask {
    /// Nil if the caller sent the whole resource.
    private let fields: Set<String>?

    private static let writable: Set<String> = [
        "displayName", "tags", "state", "state.published", "tfliteModel", "tfliteModel.gcsTfliteUri", "hearth",
        "hearth.contractCheck", "hearth.rehearsalRequire", "hearth.rehearsalCheck",
    ]
    private static let outputOnly: Set<String> = [
        "name", "createTime", "updateTime", "etag", "modelHash", "activeOperations", "state.validationError",
        "tfliteModel.sizeBytes",
    ]

    /// - Parameter text: paths in camelCase or snake_case, joined by commas.
    init(_ text: String?) throws(APIError) {
        guard let text, !text.isEmpty, text != "*" else {
            fields = nil
            return
        }
        let names = text.filter { $0 != " " }.split(separator: ",").map { Self.camelCase($0) }
        let unknown = names.first { !Self.writable.contains($0) && !Self.outputOnly.contains($0) }
        if let unknown {
            let known = Self.writable.sorted().joined(separator: ", ")
            throw .invalid("updateMask", "A model has no field '\(unknown.prefix(100))' to change; there are \(known).")
        }
        fields = Set(names)
    }

    func edit(_ body: ModelRequest) throws(APIError) -> (edit: ModelLifecycle.Edit, fileURI: String?) {
        let edit = ModelLifecycle.Edit(
            displayName: value(of: "displayName", body.displayName, otherwise: ""),
            tags: value(of: "tags", body.tags, otherwise: []),
            published: value(of: "state.published", body.published, otherwise: false),
            contractCheck: value(
                of: "hearth.contractCheck", try Self.contractCheck(body.contractCheck), otherwise: .warn),
            rehearsalGate: value(
                of: "hearth.rehearsalRequire", try Self.gate(body.rehearsalRequire), otherwise: ""),
            rehearsalCheck: value(
                of: "hearth.rehearsalCheck", try Self.rehearsalCheck(body.rehearsalCheck), otherwise: .warn),
            sendsWholeModel: fields == nil, seenSHA256: body.modelHash)
        return (edit, value(of: "tfliteModel.gcsTfliteUri", body.gcsTfliteUri, otherwise: nil))
    }

    private static func contractCheck(_ text: String?) throws(APIError) -> Model.ContractCheck? {
        guard let text else { return nil }
        guard let check = Model.ContractCheck(rawValue: text) else {
            throw .invalid("hearth.contractCheck", "This must be 'warn' or 'refuse'.")
        }
        return check
    }

    private static func gate(_ text: String?) throws(APIError) -> String? {
        guard let text, !text.isEmpty else { return text }
        do throws(CatalogError) {
            return try RehearsalGate(text).text
        } catch {
            throw .invalid("hearth.rehearsalRequire", error.message, message: error.message)
        }
    }

    private static func rehearsalCheck(_ text: String?) throws(APIError) -> Model.RehearsalCheck? {
        guard let text else { return nil }
        guard let check = Model.RehearsalCheck(rawValue: text) else {
            throw .invalid("hearth.rehearsalCheck", "This must be 'warn' or 'refuse'.")
        }
        return check
    }

    /// The new value of the field; nil leaves it unchanged. The mask may name the object that contains the field.
    private func value<Value>(of field: String, _ given: Value?, otherwise: Value?) -> Value? {
        guard let fields else { return given }
        let holder = field.split(separator: ".").first.map(String.init) ?? field
        guard fields.contains(field) || fields.contains(holder) else { return nil }
        return given ?? otherwise
    }

    private static func camelCase(_ text: Substring) -> String {
        var parts = text.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            parts[index] = parts[index].prefix(1).uppercased() + parts[index].dropFirst()
        }
        return parts.joined()
    }
}

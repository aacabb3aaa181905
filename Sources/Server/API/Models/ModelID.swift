import HearthCatalog
import HearthHTTP
import HearthWire

/// How a call names a model, and which state of it the call is about.
enum ModelID {
    /// By number; only `:download` takes display names.
    static func parse(_ text: String) throws(APIError) -> Int64 {
        guard let id = Names.modelID(text) else {
            throw .invalid("name", "A model is named by the number in its 'name', not by its display name.")
        }
        return id
    }

    /// An `If-Match` header: the call is for the model as it was when the caller looked. The etag in a body is no
    /// condition, since tools send back whole resources of any age.
    struct Match {
        private let etags: [String]?

        init(_ head: RequestHead) {
            let values = head.headers.values("If-Match")
            etags =
                values.isEmpty
                ? nil
                : values.flatMap { $0.split(separator: ",") }.map { $0.filter { $0 != " " && $0 != "\"" } }
        }

        func check(_ model: Model) throws(APIError) {
            guard let etags, !etags.contains("*"), !etags.contains(ModelPresentation.etag(of: model)) else { return }
            throw APIError(
                .failedPrecondition,
                "The model has changed since: its etag is \(ModelPresentation.etag(of: model)) now. Get it and try again.",
                httpStatus: 412)
        }
    }
}

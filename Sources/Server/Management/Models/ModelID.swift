import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// How a call names a model, and which state of the model it expects.
enum ModelID {
    /// By number; only `:download` takes display names.
    static func parse(_ text: String) throws(APIError) -> Int64 {
        guard let id = Names.modelID(text) else {
            throw .invalid("name", "A model is named by the number in its 'name', not by its display name.")
        }
        return id
    }

    /// An `If-Match` header: the call applies only to the model as the caller last read it. The etag in a body is not a
    /// condition, because tools send back whole resources of any age.
    struct ModelPrecondition {
        private let etags: EntityTags?

        init(_ head: RequestHead) { etags = head.ifMatch }

        func check(_ model: Model) throws(APIError) {
            guard let etags, !etags.allow(ModelPresentation.etag(of: model)) else { return }
            throw APIError(
                .failedPrecondition,
                "The model has changed since: its etag is \(ModelPresentation.etag(of: model)) now. Get it and try again.",
                httpStatus: 412)
        }
    }
}

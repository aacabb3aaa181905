import HearthRouting
import HearthWire

/// Reads the image processing that a caller states for a try: an item of the query, with JSON.
enum TryProcessing {
    /// The most bytes of the JSON. A normalization with four channels and all other members needs 500.
    static let maximumBytes = 2048

    /// - Parameter text: the item; nil for what the model's file says.
    static func read(_ text: String?) throws(APIError) -> ImageProcessingBody {
        guard let text else { return ImageProcessingBody() }
        let bytes = Array(text.utf8)
        guard bytes.count <= maximumBytes else { throw refusal("it has more than \(maximumBytes) bytes") }
        if let fault = JSONFault(in: bytes) { throw refusal("it is not JSON: \(fault)") }
        let body: ImageProcessingBody
        do {
            body = try RequestJSON.decode(ImageProcessingBody.self, bytes, what: "image processing")
        } catch {
            guard let violation = error.violations.first else {
                throw refusal("it must be an object in JSON, with finite numbers")
            }
            throw refusal(of: violation.field, violation.description)
        }
        if let wrong = body.refusal { throw refusal(of: wrong.member, wrong.text) }
        return body
    }

    private static func refusal(_ reason: String) -> APIError {
        let text = "The processing cannot be read: \(reason)."
        return .invalid("processing", text, message: text)
    }

    private static func refusal(of member: String, _ reason: String) -> APIError {
        .invalid(
            "processing.\(member)", reason, message: "The processing cannot be used: \(member): \(reason)")
    }
}

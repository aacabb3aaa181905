import HearthHTTP
import HearthWire

/// A refused call in the form of Google's storage interface: the envelope of all others, with the list `errors` in it.
struct StorageRefusal: Encodable {
    struct Item: Encodable {
        let message: String
        let domain = "global"
        let reason: String
    }

    struct Detail: Encodable {
        let code: Int
        let message: String
        let status: String
        let errors: [Item]
    }

    let error: Detail
    private let retryAfterSeconds: Int?

    private enum CodingKeys: String, CodingKey { case error }

    init(_ refusal: APIError) {
        let code = refusal.httpStatus ?? refusal.status.httpStatus
        error = Detail(
            code: code, message: refusal.message, status: refusal.status.rawValue,
            errors: [Item(message: refusal.message, reason: Self.reason(refusal.status, code))])
        retryAfterSeconds = refusal.retryAfterSeconds
    }

    var response: Response {
        var response = Response.json((try? WireJSON.encode(self)) ?? [], status: error.code)
        response.headers["Retry-After"] = retryAfterSeconds.map(String.init)
        return response
    }

    private static func reason(_ status: CanonicalStatus, _ code: Int) -> String {
        switch status {
        case .invalidArgument: code == 413 ? "uploadTooLarge" : "invalid"
        case .unauthenticated: "authError"
        case .permissionDenied: "forbidden"
        case .notFound: "notFound"
        case .alreadyExists: "conflict"
        case .failedPrecondition: "conditionNotMet"
        case .resourceExhausted: code == 507 ? "quotaExceeded" : "rateLimitExceeded"
        default: "backendError"
        }
    }
}

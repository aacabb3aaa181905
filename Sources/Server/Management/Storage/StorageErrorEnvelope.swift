import HearthHTTP
import HearthRouting
import HearthWire

/// A refused call in the form of Google's storage API: the usual envelope, with the list `errors` in addition.
struct StorageErrorEnvelope: Encodable {
    struct Item: Encodable {
        let message: String
        let domain = "global"
        let reason: String
        /// Which header caused the refusal, as in Google's own answers to unmet conditions.
        var locationType: String?
        var location: String?
    }

    struct Detail: Encodable {
        let code: Int
        let message: String
        let status: String
        let errors: [Item]
        /// What exactly is wrong, if the message is one that tools compare and does not say it.
        let details: [BadRequestDetail]?
    }

    let error: Detail
    private let retryAfterSeconds: Int?

    private enum CodingKeys: String, CodingKey { case error }

    init(_ refusal: APIError) {
        let code = refusal.httpStatus ?? refusal.status.httpStatus
        var item = Item(message: refusal.message, reason: Self.reason(refusal.status, code))
        if code == 412 { (item.locationType, item.location) = ("header", "If-Match") }
        error = Detail(
            code: code, message: refusal.message, status: refusal.status.rawValue, errors: [item],
            details: refusal.violations.isEmpty ? nil : [BadRequestDetail(refusal.violations)])
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
        case .failedPrecondition: code == 409 ? "conflict" : "conditionNotMet"
        case .unimplemented: code == 405 ? "methodNotAllowed" : "notImplemented"
        case .resourceExhausted: code == 507 ? "quotaExceeded" : "rateLimitExceeded"
        default: "backendError"
        }
    }
}

import HearthCalls
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthWire

/// A call that the API refused.
struct APIFailure: Error {
    let status: Int
    /// Whether the state of things forbids it, such as a rule of the model, and not what the caller gave.
    let isFailedPrecondition: Bool
    /// What is wrong and what to do.
    let message: String
    /// The fields that are wrong.
    let violations: [BadRequestDetail.FieldViolation]
    let retryAfter: String?

    init(_ response: Response) {
        status = response.status
        retryAfter = response.headers["Retry-After"]
        guard case .bytes(let bytes) = response.body,
            let envelope = try? WireJSON.decode(ErrorEnvelope.self, from: bytes)
        else {
            isFailedPrecondition = false
            message = "The server refused this with status \(response.status)."
            violations = []
            return
        }
        isFailedPrecondition = envelope.error.status == "FAILED_PRECONDITION"
        message = envelope.error.message
        violations = (envelope.error.details ?? []).flatMap { $0.fieldViolations ?? [] }
    }

    init(status: Int, message: String) {
        self.init(status: status, message: message, violations: [], retryAfter: nil)
    }

    /// What a form says is not complete; the form shows it again at the field.
    static func field(_ name: String, _ message: String) -> APIFailure {
        APIFailure(
            status: 400, message: message, violations: [.init(field: name, description: message)], retryAfter: nil)
    }

    /// Why a field of the form was refused.
    func refusal(of field: String) -> String? { violations.first { $0.field == field }?.description }

    private init(
        status: Int, message: String, violations: [BadRequestDetail.FieldViolation], retryAfter: String?,
        isFailedPrecondition: Bool = false
    ) {
        self.status = status
        self.isFailedPrecondition = isFailedPrecondition
        self.message = message
        self.violations = violations
        self.retryAfter = retryAfter
    }

    /// A copy with another message.
    func with(message: String) -> APIFailure {
        APIFailure(
            status: status, message: message, violations: violations, retryAfter: retryAfter,
            isFailedPrecondition: isFailedPrecondition)
    }
}

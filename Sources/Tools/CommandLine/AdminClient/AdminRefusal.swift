import HearthArguments
import HearthTransport
import HearthWire

/// An answer that says no: one line for the user, and the status for callers that know better what it means.
struct AdminRefusal: CodedError, CustomStringConvertible {
    let status: Int
    /// The server's word for the kind of error, such as `NOT_FOUND`.
    let code: String
    let message: String

    init(_ response: TransportResponse) {
        status = response.status
        let envelope = try? WireJSON.decode(ErrorEnvelope.self, from: response.body)
        let told = envelope.map { Self.text($0.error) }
        code = envelope?.error.status ?? "HTTP_\(response.status)"
        switch (status, told) {
        case (401, _):
            message =
                "The server refused the credentials. \(told ?? "They may have ended or belong to another server.")"
        case (429, _):
            message = "The server has had too many calls from these credentials; try again later."
        case (503, nil), (502, _), (504, _):
            message = "The server cannot answer now (HTTP status \(status)); try again later."
        case (_, let told?): message = told
        case (404, nil), (405, nil):
            message = "The server does not know this call; is it a Hearth server of this version?"
        case (_, nil): message = "The server answered with HTTP status \(status)."
        }
    }

    var description: String { message }

    /// What is wrong with which part of the call, where the server says that: the message itself may be a fixed one that
    /// existing tools compare.
    private static func text(_ error: ErrorEnvelope.Detail) -> String {
        let violations = (error.details ?? []).flatMap { $0.fieldViolations ?? [] }
        let texts = violations.prefix(3).map { "\($0.field): \($0.description)" }
        return texts.isEmpty || texts.contains { $0.hasSuffix(error.message) }
            ? error.message : texts.joined(separator: " ")
    }
}

import Foundation
import HearthArguments
import HearthTransport
import HearthWire

/// One admin call, before it is signed in.
struct AdminRequest {
    var method = "GET"
    /// From the server's base address on, encoded already.
    var path: String
    var headers: [(String, String)] = []
    var body = TransportRequest.Body.none
    var contentType = "application/json"
    /// Whether the call may be made again when nobody knows what became of it.
    var isIdempotent: Bool
    var uploadProgress: TransportRequest.UploadProgress?

    /// Looks something up.
    static func get(_ path: String, query: [(String, String?)] = []) -> AdminRequest {
        AdminRequest(path: path + Self.query(query), isIdempotent: true)
    }

    /// Changes something; `body` goes as JSON.
    static func change(
        _ method: String, _ path: String, query: [(String, String?)] = [], body: (any Encodable)? = nil
    ) throws -> AdminRequest {
        var request = AdminRequest(method: method, path: path + Self.query(query), isIdempotent: false)
        if let body { request.body = .bytes(try WireJSON.encode(body)) }
        return request
    }

    /// Text as one segment of a path, or as the value of a query item.
    static func encoded(_ text: String) -> String {
        var allowed = CharacterSet(charactersIn: "-._~")
        allowed.formUnion(CharacterSet(charactersIn: "a"..."z"))
        allowed.formUnion(CharacterSet(charactersIn: "A"..."Z"))
        allowed.formUnion(CharacterSet(charactersIn: "0"..."9"))
        return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }

    /// The items that have a value.
    static func query(_ items: [(String, String?)]) -> String {
        let texts = items.compactMap { name, value in value.map { "\(name)=\(encoded($0))" } }
        return texts.isEmpty ? "" : "?" + texts.joined(separator: "&")
    }
}

/// An answer that says no: one line for the user, and the status for callers that know better what it means.
struct AdminErrorResponse: CodedError, CustomStringConvertible {
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

import HearthHTTP
import HearthIdentity
import HearthWire

/// Calls the server's own HTTP API, in the same process, as the person who is signed in. So each rule, right and audit
/// entry is that of the API, and a page can do nothing that a script cannot do.
///
/// Calls block. The console's worker threads make them.
struct APIClient: Sendable {
    let server: InProcessClient
    /// The request of the page.
    let head: RequestHead
    let caller: CheckedCaller

    /// - Throws: `APIFailure`.
    func get<Body: Decodable>(_ type: Body.Type, _ path: APIPath) throws -> Body { try decode(answer(.get, path)) }

    /// The same, for a page that shows the answer or, at its place, why there is none.
    func result<Body: Decodable>(_ type: Body.Type, _ path: APIPath) -> Result<Body, APIFailure> {
        do {
            return .success(try get(type, path))
        } catch let failure as APIFailure {
            return .failure(failure)
        } catch {
            return .failure(APIFailure(status: 500, message: "The server's answer cannot be read."))
        }
    }

    /// The same; nil where the API answers that there is no such thing.
    func find<Body: Decodable>(_ type: Body.Type, _ path: APIPath) throws -> Body? {
        do {
            return try get(type, path)
        } catch let failure as APIFailure where failure.status == 404 {
            return nil
        }
    }

    /// - Throws: `APIFailure`.
    @discardableResult
    func send<Body: Decodable>(
        _ type: Body.Type, _ method: HTTPMethod, _ path: APIPath, _ body: some Encodable,
        headers: HTTPHeaders = [:]
    ) throws -> Body {
        try decode(answer(method, path, WireJSON.encode(body), headers: headers))
    }

    /// A change whose answer does not matter.
    ///
    /// - Throws: `APIFailure`.
    func send(_ method: HTTPMethod, _ path: APIPath) throws {
        _ = try answer(method, path, method == .delete ? [] : Array("{}".utf8))
    }

    /// - Throws: `APIFailure` for an answer from 400 on.
    func answer(
        _ method: HTTPMethod, _ path: APIPath, _ body: [UInt8] = [], headers: HTTPHeaders = [:]
    ) throws -> Response {
        var headers = headers
        if !body.isEmpty, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        let inner: RequestHead
        do throws(HTTPFault) {
            inner = try RequestHead(
                method: method, target: path.text, headers: headers, contentLength: UInt64(body.count), for: head,
                checkedCaller: caller)
        } catch {
            // Such as for a name that no path can have: `..`.
            throw APIFailure(status: error.status, message: error.message)
        }
        let response = server.answer(inner, body: body)
        guard response.status < 400 else { throw APIFailure(response) }
        return response
    }

    private func decode<Body: Decodable>(_ response: Response) throws -> Body {
        guard case .bytes(let bytes) = response.body else {
            return try WireJSON.decode(Body.self, from: Array("{}".utf8))
        }
        if case .sharedLink = caller { return try WireJSON.decode(Body.self, from: GuestAnswer.redacted(bytes)) }
        return try WireJSON.decode(Body.self, from: bytes)
    }
}

/// The path and the query of a call. Segments are percent-encoded here, once.
struct APIPath: Sendable {
    private(set) var text: String

    /// A path of Hearth's own calls.
    static func hearth(_ segments: String...) -> APIPath { APIPath("/hearth/v1", segments) }
    /// The same in a project.
    static func project(_ id: String, _ segments: String...) -> APIPath {
        APIPath("/hearth/v1/projects/\(WirePath.segment(id))", segments)
    }
    /// A path of the calls that Firebase's model management has.
    static func models(_ project: String, _ segments: String...) -> APIPath {
        APIPath("/v1beta2/projects/\(WirePath.segment(project))/models", segments)
    }
    /// A path of Remote Config's own calls, such as `remoteConfig`.
    static func config(_ project: String, _ segments: String...) -> APIPath {
        APIPath("/v1/projects/\(WirePath.segment(project))", segments)
    }

    private init(_ root: String, _ segments: [String]) {
        text = ([root] + segments.map(WirePath.segment)).joined(separator: "/")
    }

    /// The same with one more segment.
    func appending(_ segment: String) -> APIPath {
        var copy = self
        copy.text += "/" + WirePath.segment(segment)
        return copy
    }

    /// The same with a custom verb, such as `:rollback`.
    func verb(_ name: StaticString) -> APIPath {
        var copy = self
        copy.text += ":\(name)"
        return copy
    }

    /// The same with a query; items without a value are left out.
    func query(_ items: (String, String?)...) -> APIPath { query(items) }

    func query(_ items: [(String, String?)]) -> APIPath {
        let pairs = items.compactMap { name, value in value.map { "\(name)=\(WirePath.segment($0))" } }
        guard !pairs.isEmpty else { return self }
        var copy = self
        copy.text += "?" + pairs.joined(separator: "&")
        return copy
    }
}

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

    /// The same with another message.
    func with(message: String) -> APIFailure {
        APIFailure(
            status: status, message: message, violations: violations, retryAfter: retryAfter,
            isFailedPrecondition: isFailedPrecondition)
    }
}

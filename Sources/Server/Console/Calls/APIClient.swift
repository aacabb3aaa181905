import HearthCalls
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthWire

/// Calls the server's own HTTP API, in the same process, as the person who is signed in. So each rule, right and audit
/// entry is that of the API, and a page can do nothing that a script cannot do.
///
/// A page names a call of the table, which says how it is made.
///
/// Calls block. The console's worker threads make them.
struct APIClient: Sendable {
    let server: InProcessClient
    /// The request of the page.
    let head: RequestHead
    let caller: CheckedCaller
    /// The project of the page, which is the first value of paths that begin with one; empty for none.
    let project: String

    /// What the query of a call has, in order. Items without a value are left out.
    typealias Query = [(String, String?)]

    /// Makes a call that has no body.
    ///
    /// - Parameter ids: what the call's path names, in order, behind the project.
    /// - Throws: `APIFailure`.
    func call<L, Answer: Decodable>(
        _ call: Call<L, NoBody, Answer>, _ ids: String..., query: Query = []
    ) throws -> Answer {
        try decode(Answer.self, answer(call, ids, query, Self.noBody(call)))
    }

    /// Makes a call that has a body.
    ///
    /// - Throws: `APIFailure`.
    @discardableResult
    func call<L, Body: Encodable, Answer: Decodable>(
        _ call: Call<L, Body, Answer>, _ ids: String..., query: Query = [], body: Body
    ) throws -> Answer {
        try decode(Answer.self, answer(call, ids, query, WireJSON.encode(body)))
    }

    /// Makes a change that has no body and whose answer does not matter.
    ///
    /// - Throws: `APIFailure`.
    func send<L, Answer>(_ call: Call<L, NoBody, Answer>, _ ids: String..., query: Query = []) throws {
        _ = try answer(call, ids, query, Self.noBody(call))
    }

    /// The answer of a call as it is, for a page that needs its header fields or gives the body as bytes.
    ///
    /// - Parameter body: JSON; empty for none.
    /// - Throws: `APIFailure`.
    func response<L, Body, Answer>(
        to call: Call<L, Body, Answer>, _ ids: String..., query: Query = [], body: [UInt8] = [],
        headers: HTTPHeaders = [:]
    ) throws -> Response {
        try answer(call, ids, query, body, headers: headers)
    }

    /// The answer of a call, for a page that shows it or, at its place, why there is none.
    func result<L, Answer: Decodable>(
        _ call: Call<L, NoBody, Answer>, _ ids: String..., query: Query = []
    ) -> Result<Answer, APIFailure> {
        do {
            return .success(try decode(Answer.self, answer(call, ids, query, Self.noBody(call))))
        } catch let failure as APIFailure {
            return .failure(failure)
        } catch {
            return .failure(APIFailure(status: 500, message: "The server's answer cannot be read."))
        }
    }

    /// The answer of a call; nil where the API answers that there is no such thing.
    ///
    /// - Throws: `APIFailure`.
    func find<L, Answer: Decodable>(
        _ call: Call<L, NoBody, Answer>, _ ids: String..., query: Query = []
    ) throws -> Answer? {
        do {
            return try decode(Answer.self, answer(call, ids, query, Self.noBody(call)))
        } catch let failure as APIFailure where failure.status == 404 {
            return nil
        }
    }

    /// What the API reads from a request without a body: changes are objects without members.
    private static func noBody(_ call: some DescribedCall) -> [UInt8] {
        call.method == .get || call.method == .delete ? [] : Array("{}".utf8)
    }

    /// - Throws: `APIFailure` for an answer from 400 on.
    private func answer(
        _ call: some DescribedCall, _ ids: [String], _ query: Query, _ body: [UInt8], headers: HTTPHeaders = [:]
    ) throws -> Response {
        var headers = headers
        if !body.isEmpty { headers["Content-Type"] = "application/json" }
        let inner: RequestHead
        do throws(HTTPFault) {
            inner = try RequestHead(
                method: HTTPMethod(call.method), target: target(call.path, ids, query), headers: headers,
                contentLength: UInt64(body.count), for: head, checkedCaller: caller)
        } catch {
            // Such as for a name that no path can have: `..`.
            throw APIFailure(status: error.status, message: error.message)
        }
        let response = server.answer(inner, body: body)
        guard response.status < 400 else { throw APIFailure(response) }
        return response
    }

    private func target(_ path: CallPath, _ ids: [String], _ query: Query) -> String {
        let own = path.names.first == "project" ? [project] : []
        let pairs = query.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encode($0))" } }
        return path.filled(own + ids) + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    /// What an answer says, for a call whose table entry has no type of it.
    func decode<Body: Decodable>(_ type: Body.Type, _ response: Response) throws -> Body {
        guard case .bytes(let bytes) = response.body else {
            return try WireJSON.decode(Body.self, from: Array("{}".utf8))
        }
        if case .sharedLink = caller { return try WireJSON.decode(Body.self, from: GuestAnswer.redacted(bytes)) }
        return try WireJSON.decode(Body.self, from: bytes)
    }
}

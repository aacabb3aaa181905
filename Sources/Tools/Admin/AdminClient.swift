import Foundation
package import HearthConcurrency
package import HearthTransport
@_exported public import HearthWire

/// Administers a Hearth server: its models, releases, keys, projects, Remote Config templates and experiments.
///
/// Each call blocks its thread until the server has answered, which takes minutes where a file travels or the server
/// checks a model. Any number of threads may use one client at once; do not block Swift's cooperative pool with it.
///
/// A call that changes nothing is made up to five times when the connection breaks or the server is busy, with pauses of
/// up to a minute. A change is made again only where the server has refused it because of too many calls.
public final class AdminClient: Sendable {
    /// The server's base address, without a slash at its end.
    public let url: String
    /// Waits so many seconds.
    let sleep: @Sendable (Double) -> Void
    let onNotice: @Sendable (AdminNotice) -> Void
    private let credentials: AdminCredentials
    private let transport: any Transport
    private let cancellation: Cancellation?
    private let session: Lock<Session>

    /// What the client has found out.
    private struct Session {
        var bearer: String?
        var project: String?
    }

    /// Makes a client, and no call yet.
    ///
    /// - Parameters:
    ///   - credentials: what the calls are signed in with; they name the server, too.
    ///   - project: the id of the project that the calls are about; nil for that of the credentials.
    ///   - network: how the server is reached.
    ///   - onNotice: receives what a user may want to know while a call goes on, on the thread that makes the call.
    public convenience init(
        _ credentials: AdminCredentials, project: String? = nil, network: AdminNetwork = AdminNetwork(),
        onNotice: @escaping @Sendable (AdminNotice) -> Void = { _ in }
    ) {
        self.init(credentials, project: project, transport: network.transport, onNotice: onNotice)
    }

    /// - Parameter cancellation: ends the call under way, and all later ones.
    package init(
        _ credentials: AdminCredentials, project: String? = nil, transport: any Transport,
        cancellation: Cancellation? = nil,
        sleep: @escaping @Sendable (Double) -> Void = { Thread.sleep(forTimeInterval: $0) },
        onNotice: @escaping @Sendable (AdminNotice) -> Void = { _ in }
    ) {
        self.credentials = credentials
        self.transport = transport
        self.cancellation = cancellation
        self.sleep = sleep
        self.onNotice = onNotice
        url = credentials.url
        session = Lock(Session(project: project))
    }

    /// The id of the project that the calls are about.
    ///
    /// An admin token does not say which project it is for: with one, the client asks the server, once.
    ///
    /// - Throws: ``AdminError``; `noProject` or `severalProjects` where a token is not for exactly one.
    public func project() throws(AdminError) -> String {
        if let known = session.withLock({ $0.project }) { return known }
        let project: String
        switch credentials {
        case .serviceAccount(let key): project = key.projectID
        case .token: project = try onlyProject()
        }
        session.withLock { $0.project = project }
        return project
    }

    private func onlyProject() throws(AdminError) -> String {
        let projects = try projects()
        guard let first = projects.first else {
            throw AdminError(.noProject, "This admin token sees no project; make one first.")
        }
        guard projects.count == 1 else {
            throw AdminError(.severalProjects, "This admin token is for several projects; name one of them.")
        }
        return first.projectId
    }

    /// `/hearth/v1/projects/{project}` and what follows it, each segment encoded.
    func projectPath(_ segments: String...) throws(AdminError) -> String {
        let all = [try project()] + segments
        return "/hearth/v1/projects/" + all.map(AdminRequest.encoded).joined(separator: "/")
    }
}

/// Making calls.
extension AdminClient {
    /// Makes the call and reads its answer.
    func call<Answer: Decodable>(_ type: Answer.Type, _ request: AdminRequest) throws(AdminError) -> Answer {
        try Self.decode(type, response(request))
    }

    /// The same, of the type that is expected.
    func call<Answer: Decodable>(_ request: AdminRequest) throws(AdminError) -> Answer {
        try call(Answer.self, request)
    }

    /// For calls whose answer says nothing but yes.
    func perform(_ request: AdminRequest) throws(AdminError) {
        let response = try response(request)
        guard (200...299).contains(response.status) else { throw AdminError(response) }
    }

    /// The items of a list that comes in pages, `limit` at most.
    ///
    /// - Parameters:
    ///   - pageSize: the most items of one page.
    ///   - request: the call for a page, with these query items.
    func items<Page: AdminPage>(
        of type: Page.Type, limit: Int?, pageSize: Int,
        _ request: (_ page: [(String, String?)]) throws(AdminError) -> AdminRequest
    ) throws(AdminError) -> [Page.Item] {
        var items: [Page.Item] = []
        var token: String?
        repeat {
            let wanted = limit.map { String(min($0 - items.count, pageSize)) }
            let page = try call(type, request([("pageSize", wanted), ("pageToken", token)]))
            items += page.items ?? []
            token = page.nextPageToken
        } while token != nil && items.count < limit ?? .max
        return Array(items.prefix(limit ?? .max))
    }

    /// Makes the call, again where that helps. The answer may be a refusal.
    func response(_ request: AdminRequest) throws(AdminError) -> TransportResponse {
        try signedIn { bearer throws(AdminError) in
            try retrying(isIdempotent: request.isIdempotent) { () throws(AdminError) in try send(request, bearer) }
        }
    }

    /// Makes the call once, for callers with rules of their own.
    func responseWithoutRetry(_ request: AdminRequest) throws(AdminError) -> TransportResponse {
        try signedIn { bearer throws(AdminError) in try send(request, bearer) }
    }

    static func decode<Answer: Decodable>(
        _ type: Answer.Type, _ response: TransportResponse
    ) throws(AdminError) -> Answer {
        guard (200...299).contains(response.status) else { throw AdminError(response) }
        do {
            return try WireJSON.decode(type, from: response.body)
        } catch {
            throw AdminError(
                .malformedResponse, "The server's response is malformed; is it a Hearth server?", cause: error)
        }
    }

    private func send(_ request: AdminRequest, _ bearer: String) throws(AdminError) -> TransportResponse {
        try send(
            TransportRequest(
                method: request.method, url: url + request.path,
                headers: [("Authorization", "Bearer \(bearer)"), ("Content-Type", request.contentType)]
                    + request.headers,
                body: request.body,
                // After the last byte of an upload the server checks the model, and others may be before it.
                stallTimeoutSeconds: 180, uploadProgress: request.uploadProgress, cancellation: cancellation))
    }

    private func send(_ request: TransportRequest) throws(AdminError) -> TransportResponse {
        do throws(TransportError) {
            return try transport.send(request)
        } catch {
            throw AdminError(error)
        }
    }

    /// Makes a call with the access token, and once more with a new one where the token has run out, for example during a
    /// long upload.
    private func signedIn(
        _ call: (_ bearer: String) throws(AdminError) -> TransportResponse
    ) throws(AdminError) -> TransportResponse {
        let bearer = try accessToken()
        let response = try call(bearer)
        guard response.status == 401, case .serviceAccount = credentials else { return response }
        session.withLock { session in
            // Another thread may have a new one already.
            if session.bearer == bearer { session.bearer = nil }
        }
        return try call(accessToken())
    }

    private func accessToken() throws(AdminError) -> String {
        if let bearer = session.withLock({ $0.bearer }) { return bearer }
        let token: String
        switch credentials {
        case .token(let text, _): token = text
        case .serviceAccount(let key):
            let signIn = AdminSignIn(key: key)
            let request = try signIn.request(nowSeconds: Timestamp.now.seconds)
            token = try signIn.token(
                from: retrying(isIdempotent: true) { () throws(AdminError) in try send(request) })
        }
        session.withLock { $0.bearer = token }
        return token
    }

    private func retrying(
        isIdempotent: Bool, _ call: () throws(AdminError) -> TransportResponse
    ) throws(AdminError) -> TransportResponse {
        var attempt = 1
        while true {
            let result: Result<TransportResponse, AdminError>
            do throws(AdminError) {
                result = .success(try call())
            } catch {
                result = .failure(error)
            }
            let seconds = RetryPolicy.delaySeconds(
                after: result, attempt: attempt, isIdempotent: isIdempotent, nowSeconds: Timestamp.now.seconds)
            guard let seconds else { return try result.get() }
            sleep(seconds)
            attempt += 1
        }
    }
}

/// A page of a list.
protocol AdminPage: Decodable {
    associatedtype Item

    var items: [Item]? { get }
    /// Nil on the last page.
    var nextPageToken: String? { get }
}

/// Waiting for what the server does on its own: the check of a file.
extension AdminClient {
    /// Some ten minutes.
    static let pollLimit = 125

    /// Asks for the next state until it is done, with growing pauses.
    func poll<State>(
        for state: State, isDone: (State) -> Bool, next: (State) throws(AdminError) -> State
    ) throws(AdminError) -> State {
        var state = state
        var attempt = 1
        while !isDone(state) {
            guard attempt <= Self.pollLimit else {
                throw AdminError(
                    .stillChecking,
                    "The server still checks the file. It goes on by itself; ask for the versions later.")
            }
            // By then a user wonders.
            if attempt == 3 { onNotice(.checking) }
            sleep(min(5, 0.25 * Double(attempt)))
            attempt += 1
            state = try next(state)
        }
        return state
    }
}

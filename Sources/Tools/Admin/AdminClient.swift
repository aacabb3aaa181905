import Foundation
@_exported public import HearthCalls
package import HearthConcurrency
package import HearthTransport
@_exported public import HearthWire

/// Administers a Hearth server: its models, releases, keys, projects, Remote Config templates and experiments.
///
/// Each call blocks its thread until the server has answered. That takes minutes if a file is sent or the server validates a
/// model. Any number of threads may use one client at the same time. Do not block Swift's cooperative pool with it.
///
/// If the connection breaks or the server is busy, a call that changes nothing is made up to five times, with pauses of up to a
/// minute. A change is made again only if the server refused it because of too many calls.
public final class AdminClient: Sendable {
    /// The server's base address, without a slash at its end.
    public let url: String
    /// Waits this many seconds.
    let sleep: @Sendable (Double) -> Void
    let onNotice: @Sendable (AdminNotice) -> Void
    private let credentials: AdminCredentials
    private let transport: any Transport
    private let cancellation: Cancellation?
    private let session: Lock<Session>

    /// What the client has learned from the server.
    private struct Session {
        var bearer: String?
        var project: String?
    }

    /// Makes a client. It makes no call yet.
    ///
    /// - Parameters:
    ///   - credentials: the credentials of the calls; they also name the server.
    ///   - project: the id of the project of the calls; nil for that of the credentials.
    ///   - network: how the client reaches the server.
    ///   - onNotice: receives notices for the user during a call, on the thread that makes the call.
    public convenience init(
        _ credentials: AdminCredentials, project: String? = nil, network: AdminNetwork = AdminNetwork(),
        onNotice: @escaping @Sendable (AdminNotice) -> Void = { _ in }
    ) {
        self.init(credentials, project: project, transport: network.transport, onNotice: onNotice)
    }

    /// - Parameter cancellation: ends the call in progress, and all later ones.
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

    /// The id of the project of the calls.
    ///
    /// An admin token does not contain its project: with a token, the client asks the server once.
    ///
    /// - Throws: ``AdminError``; `noProject` or `severalProjects` if a token is not for exactly one.
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
            throw AdminError(.noProject, "There is no project for this admin token; make one first.")
        }
        guard projects.count == 1 else {
            throw AdminError(.severalProjects, "This admin token is for several projects; name one of them.")
        }
        return first.projectId
    }
}

/// Making calls.
extension AdminClient {
    /// Makes a call without a body, and reads its answer.
    ///
    /// - Parameters:
    ///   - resource: the name of what the call is about, such as `projects/p/models/1`; nil if `values` are all of its path.
    ///   - values: the other values of its path, in order.
    func call<Answer: Decodable>(
        _ call: Call<some CallLane, NoBody, Answer>, of resource: String? = nil, _ values: String...,
        query: [(String, String?)] = []
    ) throws(AdminError) -> Answer {
        try answer(to: AdminRequest(call, of: resource, values, query: query))
    }

    /// Makes a call with a body in JSON, and reads its answer.
    func call<Body: Encodable, Answer: Decodable>(
        _ call: Call<some CallLane, Body, Answer>, of resource: String? = nil, _ values: String...,
        query: [(String, String?)] = [], body: Body
    ) throws(AdminError) -> Answer {
        try answer(to: AdminRequest(call, of: resource, values, query: query, body: body))
    }

    /// Makes a call without a body, whose answer does not matter.
    func perform(
        _ call: Call<some CallLane, NoBody, some Sendable>, of resource: String? = nil, _ values: String...
    ) throws(AdminError) {
        let response = try response(AdminRequest(call, of: resource, values))
        guard (200...299).contains(response.status) else { throw AdminError(response) }
    }

    /// Makes the call and reads its answer, for requests that need more than the call says.
    func answer<Answer: Decodable>(to request: AdminRequest) throws(AdminError) -> Answer {
        try Self.decode(Answer.self, response(request))
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
            let page: Page = try answer(to: request([("pageSize", wanted), ("pageToken", token)]))
            items += page.items ?? []
            token = page.nextPageToken
        } while token != nil && items.count < limit ?? .max
        return Array(items.prefix(limit ?? .max))
    }

    /// Makes the call, and repeats it if that helps. The answer may be a refusal.
    func response(_ request: AdminRequest) throws(AdminError) -> TransportResponse {
        try signedIn { bearer throws(AdminError) in
            try retrying(isIdempotent: request.isIdempotent) { () throws(AdminError) in try send(request, bearer) }
        }
    }

    /// Makes the call once, for callers with their own rules for retries.
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
                // After the last byte of an upload the server validates the model, which may have to wait for others.
                stallTimeoutSeconds: 180, uploadProgress: request.uploadProgress, cancellation: cancellation))
    }

    private func send(_ request: TransportRequest) throws(AdminError) -> TransportResponse {
        do throws(TransportError) {
            return try transport.send(request)
        } catch {
            throw AdminError(error)
        }
    }

    /// Makes a call with the access token. Makes it once more with a new token if the token has expired, for example during a long
    /// upload.
    private func signedIn(
        _ call: (_ bearer: String) throws(AdminError) -> TransportResponse
    ) throws(AdminError) -> TransportResponse {
        let bearer = try accessToken()
        let response = try call(bearer)
        guard response.status == 401, case .serviceAccount = credentials else { return response }
        session.withLock { session in
            // Another thread may already have a new one.
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
        var reasons: Set<String> = []
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
            if case .success(let refusal) = result {
                let error = AdminError(refusal)
                if reasons.insert(error.message).inserted { onNotice(.callRetried(error)) }
            }
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

/// Waits for work that the server does by itself: the validation of a file.
extension AdminClient {
    /// About ten minutes.
    static let pollLimit = 125

    /// Asks for the state until the work is done, with growing pauses.
    func poll<State>(
        for state: State, isDone: (State) -> Bool, next: (State) throws(AdminError) -> State
    ) throws(AdminError) -> State {
        var state = state
        var attempt = 1
        while !isDone(state) {
            guard attempt <= Self.pollLimit else {
                throw AdminError(
                    .stillChecking,
                    "The server is still validating the file. Ask for the versions later.")
            }
            // After this time the user wants to know the reason.
            if attempt == 3 { onNotice(.checking) }
            sleep(min(5, 0.25 * Double(attempt)))
            attempt += 1
            state = try next(state)
        }
        return state
    }
}

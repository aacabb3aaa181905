import Foundation
import HearthConcurrency
import HearthLocalCommands
import HearthTransport
import HearthWire

/// Admin calls to a server, signed in with a service-account key or an admin token. Blocks. Used by one thread.
final class AdminClient {
    /// The server's base address, without a slash at its end.
    let url: String
    /// Waits so many seconds.
    let sleep: (Double) -> Void
    private let credentials: AdminCredentials
    private let transport: any Transport
    private let cancellation: Cancellation?
    private var bearer: String?
    private var knownProject: String?

    /// - Parameters:
    ///   - project: the project to work in; nil for that of the credentials.
    ///   - cancellation: ends the call under way, and all later ones.
    init(
        _ credentials: AdminCredentials, project: String? = nil, transport: any Transport = AdminTransport.make(),
        cancellation: Cancellation? = nil,
        sleep: @escaping (Double) -> Void = { Thread.sleep(forTimeInterval: $0) }
    ) {
        self.credentials = credentials
        self.transport = transport
        self.cancellation = cancellation
        self.sleep = sleep
        url = credentials.url
        knownProject = project
    }

    /// The id of the project that calls are about. An admin token does not say which: with one, the server is asked.
    func project() throws -> String {
        if let knownProject { return knownProject }
        let project: String
        switch credentials {
        case .serviceAccount(let key): project = key.projectID
        case .token: project = try onlyProject()
        }
        knownProject = project
        return project
    }

    private func onlyProject() throws -> String {
        let projects = try projects()
        guard let first = projects.first, projects.count == 1 else {
            throw CommandFailure(
                projects.isEmpty
                    ? "This token sees no project; make one with hearth projects create."
                    : "This token is for several projects; name one with --project or HEARTH_PROJECT.")
        }
        return first.projectId
    }

    /// Makes the call and reads its answer.
    /// - Throws: `AdminErrorResponse`, `TransportError`, or `CommandFailure` when the answer is not readable.
    func call<Answer: Decodable>(_ type: Answer.Type, _ request: AdminRequest) throws -> Answer {
        try Self.decode(type, response(request))
    }

    /// The same, of the type that is expected.
    func call<Answer: Decodable>(_ request: AdminRequest) throws -> Answer { try call(Answer.self, request) }

    /// For calls whose answer says nothing but yes.
    func perform(_ request: AdminRequest) throws {
        let response = try response(request)
        guard (200...299).contains(response.status) else { throw AdminErrorResponse(response) }
    }

    /// Makes the call, again where that helps. The answer may be a refusal.
    func response(_ request: AdminRequest) throws -> TransportResponse {
        let response = try retrying(isIdempotent: request.isIdempotent) { try self.send(request, self.accessToken()) }
        guard response.status == 401, case .serviceAccount = credentials else { return response }
        // The access token ran out, for example during a long upload.
        bearer = nil
        return try retrying(isIdempotent: request.isIdempotent) { try self.send(request, self.accessToken()) }
    }

    /// Makes the call once, for callers with rules of their own.
    func responseWithoutRetry(_ request: AdminRequest) throws -> TransportResponse {
        let response = try send(request, try accessToken())
        guard response.status == 401, case .serviceAccount = credentials else { return response }
        bearer = nil
        return try send(request, try accessToken())
    }

    static func decode<Answer: Decodable>(_ type: Answer.Type, _ response: TransportResponse) throws -> Answer {
        guard (200...299).contains(response.status) else { throw AdminErrorResponse(response) }
        do {
            return try WireJSON.decode(type, from: response.body)
        } catch {
            throw CommandFailure("The server's response is malformed; is it a Hearth server?")
        }
    }

    private func send(_ request: AdminRequest, _ bearer: String) throws -> TransportResponse {
        try transport.send(
            TransportRequest(
                method: request.method, url: url + request.path,
                headers: [("Authorization", "Bearer \(bearer)"), ("Content-Type", request.contentType)]
                    + request.headers,
                body: request.body,
                // After the last byte of an upload the server checks the model, and others may be before it.
                stallTimeoutSeconds: 180, uploadProgress: request.uploadProgress, cancellation: cancellation))
    }

    private func accessToken() throws -> String {
        if let bearer { return bearer }
        let token: String
        switch credentials {
        case .token(let text, _): token = text
        case .serviceAccount(let key):
            let signIn = AdminSignIn(key: key)
            let request = try signIn.request(nowSeconds: Self.nowSeconds)
            token = try signIn.token(from: retrying(isIdempotent: true) { try self.transport.send(request) })
        }
        bearer = token
        return token
    }

    private func retrying(isIdempotent: Bool, _ call: () throws -> TransportResponse) throws -> TransportResponse {
        var attempt = 1
        while true {
            let outcome: RetryPolicy.Outcome
            let result: Result<TransportResponse, any Error>
            do {
                let response = try call()
                outcome = .answered(status: response.status, headers: response.headers)
                result = .success(response)
            } catch let error as TransportError {
                outcome = .failed(error)
                result = .failure(error)
            }
            let seconds = RetryPolicy.delaySeconds(
                after: outcome, attempt: attempt, isIdempotent: isIdempotent, nowSeconds: Self.nowSeconds)
            guard let seconds else { return try result.get() }
            sleep(seconds)
            attempt += 1
        }
    }

    private static var nowSeconds: Int64 { Int64(Date().timeIntervalSince1970) }
}

/// Waiting for what the server does on its own: the check of a file.
extension AdminClient {
    /// Some ten minutes.
    static let pollLimit = 125

    /// Asks for the next state until it is done, with growing pauses.
    func poll<State>(
        for state: State, isDone: (State) -> Bool, next: (State) throws -> State
    ) throws -> State {
        var state = state
        var attempt = 1
        while !isDone(state) {
            guard attempt <= Self.pollLimit else {
                throw CommandFailure(
                    "The server still checks the file. It goes on by itself; see later with hearth models versions.")
            }
            // By then somebody wonders.
            if attempt == 3 { Output.note("The server is checking the file ...") }
            sleep(min(5, 0.25 * Double(attempt)))
            attempt += 1
            state = try next(state)
        }
        return state
    }
}

/// The way to a server for admin calls: through `HEARTH_PROXY`, trusting `HEARTH_CA_FILE`, where these are set.
enum AdminTransport {
    static func make(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> any Transport {
        CurlTransport(configuration: configuration(environment))
    }

    static func configuration(_ environment: [String: String]) -> CurlTransport.Configuration {
        let caFile = environment["HEARTH_CA_FILE"]
        let proxy: CurlTransport.Proxy =
            switch environment["HEARTH_PROXY"] {
            case nil, "": .environment
            case "none": .none
            case .some(let url): .url(url)
            }
        return CurlTransport.Configuration(caFile: caFile?.isEmpty == true ? nil : caFile, proxy: proxy)
    }
}

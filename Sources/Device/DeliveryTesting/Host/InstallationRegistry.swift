import HearthTransport
import HearthWire

/// The installations that a host knows, and the tokens that it issued. Pure: callers pass the time.
struct InstallationRegistry: Sendable {
    private static let tokenLifetimeSeconds: Int64 = 604_800

    private var refreshTokens: [String: String] = [:]
    private var tokens: [String: Timestamp] = [:]
    private var count = 0

    /// Whether the host issued this token and it has not expired.
    func accepts(_ token: String?, now: Timestamp) -> Bool {
        guard let token, let expires = tokens[token] else { return false }
        return now < expires
    }

    mutating func answer(_ request: TransportRequest, now: Timestamp) -> HostAnswer {
        let segments = HostRoute(request.url).segments
        switch (request.method, segments.count, segments.last) {
        case ("POST", 0, _): return register(request, now)
        case ("DELETE", 1, _): return delete(segments[0], request)
        case ("POST", 2, "authTokens:generate"): return renew(segments[0], request, now)
        default: return .error(.notFound, "There is no such call.")
        }
    }

    private mutating func register(_ request: TransportRequest, _ now: Timestamp) -> HostAnswer {
        guard case .bytes(let bytes) = request.body,
            let body = try? WireJSON.decode(InstallationBodies.CreateRequest.self, from: bytes)
        else { return .error(.invalidArgument, "The body is not readable.") }
        let id = body.fid.flatMap { InstallationID.isValid($0) ? $0 : nil } ?? "c" + String(repeating: "A", count: 21)
        let refreshToken = "refresh-\(id)"
        refreshTokens[id] = refreshToken
        return .json(
            InstallationBodies.CreateResponse(
                name: "projects/1234567890/installations/\(id)", fid: id, refreshToken: refreshToken,
                authToken: newToken(now)))
    }

    private mutating func renew(_ id: String, _ request: TransportRequest, _ now: Timestamp) -> HostAnswer {
        problem(with: request, of: id) ?? .json(newToken(now))
    }

    private mutating func delete(_ id: String, _ request: TransportRequest) -> HostAnswer {
        if let problem = problem(with: request, of: id) { return problem }
        refreshTokens[id] = nil
        return HostAnswer(body: Array("{}".utf8))
    }

    private func problem(with request: TransportRequest, of id: String) -> HostAnswer? {
        guard let known = refreshTokens[id] else { return .error(.notFound, "Requested entity was not found.") }
        guard request.header("authorization") == "FIS_v2 \(known)" else {
            return .error(.unauthenticated, "The request is missing a valid refresh token.")
        }
        return nil
    }

    private mutating func newToken(_ now: Timestamp) -> InstallationBodies.AuthToken {
        count += 1
        let token = "device-token-\(count)"
        tokens[token] = now.adding(seconds: Self.tokenLifetimeSeconds)
        return InstallationBodies.AuthToken(token: token, expiresInSeconds: Self.tokenLifetimeSeconds)
    }
}

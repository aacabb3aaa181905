import Foundation
import HearthConcurrency
package import HearthTransport

/// Registers installations and renews their tokens as a server does. It keeps them in memory. Use it from any thread.
package final class InstallationServer: Sendable {
    private struct State {
        var tokenCount = 0
        var duringRegistration: @Sendable () -> Void = {}
    }

    private let lifetimeSeconds: Int64
    private let state = Lock(State())

    package init(lifetimeSeconds: Int64 = 604_800) { self.lifetimeSeconds = lifetimeSeconds }

    /// Calls `body` before the server answers about an installation or its token.
    package func duringRegistration(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.duringRegistration = body }
    }

    /// Whether a request is about an installation.
    package static func isResponsible(for request: TransportRequest) -> Bool { request.url.contains("/installations") }

    /// The tokens are `auth-1`, `auth-2` and so on, in the order in which the server issued them.
    package func answer(_ request: TransportRequest) -> TransportResponse {
        state.withLock { $0.duringRegistration }()
        if request.method == "DELETE" { return .json("{}") }
        let number = state.withLock { state in
            state.tokenCount += 1
            return state.tokenCount
        }
        let token = #"{"token":"auth-\#(number)","expiresIn":"\#(lifetimeSeconds)s"}"#
        guard request.url.hasSuffix("/installations") else { return .json(token) }
        let fid = request.json["fid"] as? String ?? ""
        return .json(
            #"{"name":"projects/1/installations/\#(fid)","fid":"\#(fid)","refreshToken":"refresh-\#(number)","authToken":\#(token)}"#
        )
    }
}

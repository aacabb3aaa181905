import HearthTransport
import Synchronization

/// A server that registers installations and renews their tokens, in memory.
final class InstallationServer: Sendable {
    let lifetimeSeconds: Int64
    private let count = Atomic(0)

    init(lifetimeSeconds: Int64 = 604_800) { self.lifetimeSeconds = lifetimeSeconds }

    func transport() -> ScriptedTransport { ScriptedTransport { [self] in answer($0) } }

    /// Tokens are numbered in the order in which they were given out, from 1.
    func answer(_ request: TransportRequest) -> TransportResponse {
        if request.method == "DELETE" { return .json("{}") }
        let number = count.add(1, ordering: .relaxed).newValue
        let token = #"{"token":"auth-\#(number)","expiresIn":"\#(lifetimeSeconds)s"}"#
        guard request.url.hasSuffix("/installations") else { return .json(token) }
        let fid = request.json["fid"] as? String ?? ""
        return .json(
            #"{"name":"projects/1/installations/\#(fid)","fid":"\#(fid)","refreshToken":"refresh-\#(number)","authToken":\#(token)}"#
        )
    }
}

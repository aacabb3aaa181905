import Foundation
import HearthConcurrency
package import HearthTransport

/// Answers requests by a script, and records them. Use it from any thread.
package final class ScriptedTransport: Transport {
    package typealias Script = @Sendable (TransportRequest) throws(TransportError) -> TransportResponse

    private let script: Lock<Script>
    private let sent = Lock<[TransportRequest]>([])

    package init(_ script: @escaping Script) { self.script = Lock(script) }

    package var requests: [TransportRequest] { sent.withLock { $0 } }

    package func answer(_ script: @escaping Script) { self.script.withLock { $0 = script } }

    package func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        sent.withLock { $0.append(request) }
        let script = self.script.withLock { $0 }
        return try script(request)
    }
}

extension InstallationServer {
    /// A transport that leads to this server only.
    package func transport() -> ScriptedTransport { ScriptedTransport { [self] in answer($0) } }
}

extension TransportRequest {
    /// The fields of the JSON body; empty for any other body.
    package var json: [String: Any] {
        guard case .bytes(let bytes) = body else { return [:] }
        return (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
    }
}

extension TransportResponse {
    package static func json(
        _ text: String, status: Int = 200, headers: [(String, String)] = []
    ) -> TransportResponse {
        TransportResponse(status: status, headers: TransportHeaders(headers), body: Array(text.utf8))
    }
}

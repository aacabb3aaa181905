import Foundation
import HearthTransport
import Synchronization

/// Answers requests by a script and remembers them. Use it from any thread.
final class ScriptedTransport: Transport {
    typealias Script = @Sendable (TransportRequest) throws(TransportError) -> TransportResponse

    private let script: Mutex<Script>
    private let sent = Mutex<[TransportRequest]>([])

    init(_ script: @escaping Script) { self.script = Mutex(script) }

    var requests: [TransportRequest] { sent.withLock { $0 } }

    func answer(_ script: @escaping Script) { self.script.withLock { $0 = script } }

    func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        sent.withLock { $0.append(request) }
        let script = self.script.withLock { $0 }
        return try script(request)
    }
}

extension TransportRequest {
    func header(_ name: String) -> String? { headers.first { $0.0.lowercased() == name.lowercased() }?.1 }

    var json: [String: Any] {
        guard case .bytes(let bytes) = body else { return [:] }
        return (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
    }
}

extension TransportResponse {
    static func json(_ text: String, status: Int = 200) -> TransportResponse {
        TransportResponse(status: status, body: Array(text.utf8))
    }
}

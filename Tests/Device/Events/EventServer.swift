import Foundation
import HearthTransport
import HearthWire
import Synchronization

/// A server that registers installations and counts events as the real one does: it stores the last number of each
/// journal together with the counts. Use it from any thread.
final class EventServer: Transport {
    typealias Script = @Sendable (TransportRequest) throws(TransportError) -> TransportResponse?

    private struct State {
        var script: Script = { _ in nil }
        var batches: [EventBodies.Batch] = []
        var counted: [EventBodies.Item] = []
        var last: [String: Int64] = [:]
        var requests: [TransportRequest] = []
        var tokenCount = 0
        var duringRegistration: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    /// All batches that arrived, counted or not.
    var batches: [EventBodies.Batch] { state.withLock { $0.batches } }
    var counted: [EventBodies.Item] { state.withLock { $0.counted } }
    /// The numbers of events only.
    var requests: [TransportRequest] { state.withLock { $0.requests } }
    var names: [String] { counted.compactMap(\.event?.name) }
    var exposures: [EventBodies.Exposure] { counted.compactMap(\.exposure) }
    /// A batch that the script does not answer is counted.
    func answer(_ script: @escaping Script) { state.withLock { $0.script = script } }

    func answer(status: Int, headers: [(String, String)] = [], body: String = "{}") {
        answer { _ in .json(body, status: status, headers: headers) }
    }

    func goOffline() {
        answer { _ throws(TransportError) in throw TransportError(.couldNotConnect, "there is no connection") }
    }

    /// Called before an installation or its token is answered.
    func duringRegistration(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.duringRegistration = body } }

    func recover() { answer { _ in nil } }

    func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        if request.url.contains("/installations") { return register(request) }
        guard case .bytes(let bytes) = request.body,
            let batch = try? WireJSON.decode(EventBodies.Batch.self, from: bytes)
        else { return .json("{}", status: 400) }
        let script = state.withLock { state in
            state.requests.append(request)
            state.batches.append(batch)
            return state.script
        }
        return try script(request) ?? count(batch)
    }

    /// Counts the batch, for scripts whose answer is lost on the way.
    @discardableResult
    func count(_ batch: EventBodies.Batch) -> TransportResponse {
        state.withLock { state in
            for item in batch.items where item.sequence > state.last[batch.journal] ?? 0 {
                state.last[batch.journal] = item.sequence
                state.counted.append(item)
            }
            return .json(#"{"accepted":\#(state.last[batch.journal] ?? 0)}"#)
        }
    }

    private func register(_ request: TransportRequest) -> TransportResponse {
        state.withLock { $0.duringRegistration }()
        let number = state.withLock { state in
            state.tokenCount += 1
            return state.tokenCount
        }
        let token = #"{"token":"auth-\#(number)","expiresIn":"604800s"}"#
        if request.method == "DELETE" { return .json("{}") }
        guard request.url.hasSuffix("/installations") else { return .json(token) }
        guard case .bytes(let bytes) = request.body,
            let body = try? WireJSON.decode(InstallationBodies.CreateRequest.self, from: bytes)
        else { return .json("{}", status: 400) }
        return .json(#"{"name":"n","fid":"\#(body.fid ?? "")","refreshToken":"refresh","authToken":\#(token)}"#)
    }
}

extension TransportRequest {
    func header(_ name: String) -> String? { headers.first { $0.0.lowercased() == name.lowercased() }?.1 }

    var batch: EventBodies.Batch? {
        guard case .bytes(let bytes) = body else { return nil }
        return try? WireJSON.decode(EventBodies.Batch.self, from: bytes)
    }
}

extension TransportResponse {
    static func json(_ text: String, status: Int = 200, headers: [(String, String)] = []) -> TransportResponse {
        TransportResponse(status: status, headers: TransportHeaders(headers), body: Array(text.utf8))
    }
}

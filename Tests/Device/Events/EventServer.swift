import Foundation
import HearthDeviceTestSupport
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
    }

    let installations = InstallationServer()
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

    func recover() { answer { _ in nil } }

    func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        if InstallationServer.isResponsible(for: request) { return installations.answer(request) }
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
}

extension TransportRequest {
    var batch: EventBodies.Batch? {
        guard case .bytes(let bytes) = body else { return nil }
        return try? WireJSON.decode(EventBodies.Batch.self, from: bytes)
    }
}

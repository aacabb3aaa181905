import Foundation
import HearthDeviceTestSupport
import HearthTransport
import HearthWire
import Synchronization

/// A server that registers installations, and answers fetches and streams by a script. Use it from any thread.
final class ConfigServer: Transport {
    typealias Script = @Sendable (TransportRequest) throws(TransportError) -> TransportResponse

    private struct State {
        var fetch: Script = { _ in .json("{}", status: 404) }
        var streams: [Script] = []
        var duringStream: @Sendable () -> Void = {}
        var fetches: [TransportRequest] = []
        var streamRequests: [TransportRequest] = []
        var exposures: [EventBodies.Exposure] = []
        var abortedStreamCount = 0
    }

    let installations = InstallationServer()
    private let state = Mutex(State())

    /// The requests in the order in which they arrived.
    var fetches: [TransportRequest] { state.withLock { $0.fetches } }
    var streamRequests: [TransportRequest] { state.withLock { $0.streamRequests } }

    /// What the device has reported.
    var exposures: [EventBodies.Exposure] { state.withLock { $0.exposures } }

    /// How many streams the device closed before their end.
    var abortedStreamCount: Int { state.withLock { $0.abortedStreamCount } }

    func answer(_ script: @escaping Script) { state.withLock { $0.fetch = script } }

    func answer(_ json: String, status: Int = 200, headers: [(String, String)] = []) {
        answer { _ in .json(json, status: status, headers: headers) }
    }

    /// Serves these values as version `version`, with a separate ETag.
    func serve(_ entries: [String: String], version: Int, experiments: [RemoteConfigExperiment] = []) {
        let descriptions = experiments.map { experiment in
            [
                "experimentId": experiment.experimentId, "variantId": experiment.variantId,
                "experimentStartTime": experiment.experimentStartTime,
                "triggerTimeoutMillis": experiment.triggerTimeoutMillis,
                "timeToLiveMillis": experiment.timeToLiveMillis,
                "affectedParameterKeys": experiment.affectedParameterKeys ?? [],
            ] as [String: Any]
        }
        let body = try? JSONSerialization.data(withJSONObject: [
            "entries": entries, "state": "UPDATE", "templateVersion": "\(version)",
            "experimentDescriptions": descriptions,
        ])
        answer(String(decoding: body ?? Data(), as: UTF8.self), headers: [("ETag", "etag-1-firebase-fetch-\(version)")])
    }

    /// The answers to the next streams. Each body is written in one piece, and then the stream ends. After the last
    /// one, connections fail.
    func stream(_ scripts: [Script]) { state.withLock { $0.streams += scripts } }

    /// Called between the head and the body of each stream.
    func duringStream(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.duringStream = body } }

    func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        if InstallationServer.isResponsible(for: request) { return installations.answer(request) }
        if request.url.hasSuffix(":fetch") {
            let script = state.withLock { state in
                state.fetches.append(request)
                return state.fetch
            }
            return try script(request)
        }
        if request.url.hasSuffix("/events") { return takeEvents(request) }
        let script: Script? = state.withLock { state in
            state.streamRequests.append(request)
            return state.streams.isEmpty ? nil : state.streams.removeFirst()
        }
        guard let script else { throw TransportError(.couldNotConnect, "there is no server") }
        let response = try script(request)
        do {
            try onHead?(TransportResponseHead(status: response.status, headers: response.headers))
            state.withLock { $0.duringStream }()
            try response.body.withUnsafeBytes { try onBody?($0) }
        } catch {
            state.withLock { $0.abortedStreamCount += 1 }
            throw TransportError(.aborted, "stopped", cause: error)
        }
        return response
    }

    private func takeEvents(_ request: TransportRequest) -> TransportResponse {
        guard case .bytes(let bytes) = request.body,
            let batch = try? WireJSON.decode(EventBodies.Batch.self, from: bytes)
        else { return .json("{}", status: 400) }
        state.withLock { $0.exposures += batch.items.compactMap(\.exposure) }
        return .json(#"{"accepted":\#(batch.items.last?.sequence ?? 0)}"#)
    }
}

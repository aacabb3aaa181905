import Foundation
import HearthCrypto
import HearthTransport
import HearthWire
import Synchronization

@testable import HearthCommandLine

/// Takes resumable uploads as the server's route does, and has accidents.
final class UploadHost: Sendable {
    enum Accident {
        /// The piece does not arrive, and the connection breaks.
        case lost
        /// So many bytes of the piece arrive, and the connection breaks.
        case cut(Int)
        /// The piece arrives, its answer does not.
        case unanswered
        case status(Int, [(String, String)])
        /// The session is forgotten.
        case forgotten
    }

    private struct State {
        var held: [UInt8] = []
        var session = 0
        var accidents: [Accident]
        var pieces = 0
    }

    private let state: Mutex<State>
    /// Of the piece with this number, 0 for the first, and those after it.
    private let firstAccident: Int

    init(_ accidents: [Accident] = [], from firstAccident: Int = 0) {
        state = Mutex(State(accidents: accidents))
        self.firstAccident = firstAccident
    }

    var sessions: Int { state.withLock { $0.session } }
    var held: [UInt8] { state.withLock { $0.held } }

    var server: StandInServer {
        StandInServer { [self] call throws(TransportError) in
            let result = state.withLock { state in Self.answer(call, &state, firstAccident) }
            return try result.get()
        }
    }

    private static let broken = Result<TransportResponse, TransportError>.failure(
        TransportError(.interrupted, "the connection to stand.in broke"))

    private static func answer(
        _ call: StandInServer.Call, _ state: inout State, _ firstAccident: Int
    ) -> Result<TransportResponse, TransportError> {
        if call.method == "POST" {
            state.session += 1
            state.held = []
            return .success(
                StandInServer.empty(201, [("Location", "http://elsewhere/hearth/v1/sessions/\(state.session)?id=x")]))
        }
        guard call.url == "http://stand.in/hearth/v1/sessions/\(state.session)?id=x" else {
            return .success(StandInServer.refusal(404, "no such session"))
        }
        let range = call.headers["content-range"] ?? ""
        guard !range.hasPrefix("bytes */") else { return .success(held(state, range)) }
        defer { state.pieces += 1 }
        if state.pieces >= firstAccident, !state.accidents.isEmpty {
            switch state.accidents.removeFirst() {
            case .lost: return broken
            case .cut(let count):
                state.held += call.body.prefix(count)
                return broken
            case .unanswered:
                state.held += call.body
                return broken
            case .status(let status, let headers): return .success(StandInServer.refusal(status, headers: headers))
            case .forgotten:
                state.session += 100
                return .success(StandInServer.refusal(410, "gone"))
            }
        }
        guard range.hasPrefix("bytes \(state.held.count)-") else { return .success(StandInServer.refusal(400)) }
        state.held += call.body
        return .success(held(state, range))
    }

    private static func held(_ state: State, _ range: String) -> TransportResponse {
        guard range.hasSuffix("/\(state.held.count)") else {
            return StandInServer.empty(
                308, state.held.isEmpty ? [] : [("Range", "bytes=0-\(state.held.count - 1)")])
        }
        return StandInServer.json(
            UploadResource(
                gcsTfliteUri: "gs://b/o", sizeBytes: "\(state.held.count)",
                sha256: SHA256Hasher.hash(state.held).hex, validationError: nil, warning: nil))
    }
}

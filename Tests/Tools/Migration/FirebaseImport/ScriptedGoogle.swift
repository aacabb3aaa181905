import HearthConcurrency
import HearthFiles
import HearthTransport

@testable import HearthFirebaseImport

/// Answers calls with the next answer of a list; the last one stays.
final class ScriptedGoogle: Transport {
    enum Answer: Sendable {
        case answer(Int, headers: [(String, String)] = [], body: String = "{}")
        case failure(TransportError)
        /// The receiver's own error.
        case noSpace
    }

    private struct State {
        var answers: [String: [Answer]]
        var requests: [TransportRequest] = []
    }

    private let state: Lock<State>

    /// - Parameter answers: by a part of the address; the longest that fits counts.
    init(_ answers: [String: [Answer]]) { state = Lock(State(answers: answers)) }

    convenience init(_ answers: Answer...) { self.init(["": answers]) }

    var requests: [TransportRequest] { state.withLock { $0.requests } }
    var urls: [String] { requests.map(\.url) }

    func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        let answer: Answer? = state.withLock { state in
            state.requests.append(request)
            let part = state.answers.keys.filter { $0.isEmpty || request.url.contains($0) }.max { $0.count < $1.count }
            guard let part, let answers = state.answers[part] else { return nil }
            if answers.count > 1 { state.answers[part] = Array(answers.dropFirst()) }
            return answers.first
        }
        switch answer {
        case nil: return TransportResponse(status: 404)
        case .failure(let error): throw error
        case .noSpace: throw .aborted("storage", cause: FileError(.noSpace, "Cannot write x: No space left on device"))
        case .answer(let status, let headers, let body):
            var response = TransportResponse(status: status, headers: TransportHeaders(headers), body: Array(body.utf8))
            guard let onBody else { return response }
            do {
                try onHead?(TransportResponseHead(status: status, headers: response.headers))
                try response.body.withUnsafeBytes { try onBody($0) }
            } catch {
                throw .aborted("storage", cause: error)
            }
            response.body = []
            return response
        }
    }
}

extension FirebaseConnection {
    /// Without pauses.
    convenience init(
        _ google: ScriptedGoogle, endpoint: String? = nil, trace: FirebaseTrace? = nil,
        sleep: @escaping @Sendable (Double) -> Void = { _ in }
    ) {
        var options = Options()
        options.endpoint = endpoint
        options.trace = trace
        options.sleep = sleep
        self.init(transport: google, options: options)
    }
}

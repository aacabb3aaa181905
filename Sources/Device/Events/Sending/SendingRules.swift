import HearthTransport
import HearthWire

/// What the answer to a batch means. Pure.
enum SendingRules {
    enum Verdict: Sendable, Equatable {
        case accepted
        /// The token is not taken; a new one may be.
        case renewToken
        /// This batch will never be taken.
        case drop(reason: String)
        /// Trying again may help.
        case later(reason: String)
    }

    /// - Parameter last: The highest number of the batch.
    static func verdict(_ response: TransportResponse, last: Int64) -> Verdict {
        switch response.status {
        case 200...299: afterSuccess(response, last: last)
        case 401: .renewToken
        case 400, 413: refusal(response).map { .drop(reason: $0) } ?? .later(reason: reason(response))
        default: .later(reason: reason(response))
        }
    }

    /// Only the server's own word counts: the page of a hotel's network comes with status 200, too.
    private static func afterSuccess(_ response: TransportResponse, last: Int64) -> Verdict {
        guard let answer = try? WireJSON.decode(EventBodies.Answer.self, from: response.body) else {
            return .later(reason: "the answer is not readable; is the server's address right?")
        }
        return answer.accepted >= last
            ? .accepted : .later(reason: "the server has stored only the items up to \(answer.accepted)")
    }

    private static func reason(_ response: TransportResponse) -> String {
        refusal(response) ?? "HTTP status \(response.status)"
    }

    /// The server's own words; nil where something on the way to it answers.
    private static func refusal(_ response: TransportResponse) -> String? {
        try? WireJSON.decode(ErrorEnvelope.self, from: response.body).error.message
    }
}

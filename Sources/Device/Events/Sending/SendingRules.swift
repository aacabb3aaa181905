import HearthApp
import HearthClient
import HearthTransport
import HearthWire

/// What the answer to a batch means. Pure.
enum SendingRules {
    enum Verdict: Sendable, Equatable {
        case accepted
        /// The server refused the token and a renewed one.
        case tokenRefused
        /// The server will never accept this batch.
        case drop(reason: String)
        /// Another attempt may succeed.
        case later(reason: String)
    }

    /// What to do with a batch after this answer.
    ///
    /// - Parameter last: The highest number of the batch.
    static func verdict(_ response: TransportResponse, last: Int64) -> Verdict {
        switch response.status {
        case 200...299: afterSuccess(response, last: last)
        case 401: .tokenRefused
        case 400, 413: response.refusalReason.map { .drop(reason: $0) } ?? .later(reason: reason(response))
        default: .later(reason: reason(response))
        }
    }

    /// Only the server's own answer counts: the login page of a hotel's network also has status 200.
    private static func afterSuccess(_ response: TransportResponse, last: Int64) -> Verdict {
        guard let answer = try? WireJSON.decode(EventBodies.Response.self, from: response.body) else {
            return .later(reason: "malformed response; check the server's address")
        }
        return answer.accepted >= last
            ? .accepted : .later(reason: "the server has stored only the items up to \(answer.accepted)")
    }

    private static func reason(_ response: TransportResponse) -> String {
        response.refusalReason ?? "HTTP status \(response.status)"
    }
}

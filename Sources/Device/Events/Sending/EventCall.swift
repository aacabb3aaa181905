import Foundation
import HearthApp
import HearthTransport
import HearthWire

/// The call that hands a batch to the server. Blocks.
struct EventCall: Sendable {
    let app: FirebaseApp
    let cancellation: TransportCancellation

    private static let tokenSeconds = 60.0
    private static let callSeconds = 60.0
    private static let maxAnswerBytes: UInt64 = 65_536

    /// Who this is, as the server knows it.
    func identity(renewingToken: Bool) throws(EventsError) -> InstallationIdentity {
        let clock = app.environment.clock
        let deadline = clock.uptime() + Self.tokenSeconds
        do {
            return try InstallationIdentity(app, renewingToken: renewingToken) {
                guard !cancellation.isCancelled, clock.uptime() < deadline else { throw CancellationError() }
            }
        } catch is CancellationError {
            throw EventsError(.unreachable, "Timed out waiting for an installation token; events will be sent later.")
        } catch {
            throw EventsError(
                .unreachable,
                "Cannot get an installation token; events will be sent later. \(error.localizedDescription)")
        }
    }

    func send(_ batch: EventBodies.Batch, as identity: InstallationIdentity) throws(EventsError) -> TransportResponse {
        guard let address = ServerAddress(app.options) else {
            throw EventsError(
                .notConfigured,
                """
                Events need `FirebaseOptions.apiKey`, `projectID` and `serverURL`; the options of the app \
                '\(app.name)' lack one of them.
                """)
        }
        guard let body = try? WireJSON.encode(batch) else {
            throw EventsError(.storage, "The batch cannot be encoded.")
        }
        let request = TransportRequest(
            method: "POST",
            url: address.url("/hearth/v1/projects/\(ServerAddress.segment(address.projectID))/events"),
            headers: address.headers + identity.headers + [("content-type", "application/json")],
            body: .bytes(body), totalTimeoutSeconds: Self.callSeconds, maxResponseBytes: Self.maxAnswerBytes,
            cancellation: cancellation)
        do {
            return try app.environment.transport.send(request)
        } catch {
            throw EventsError(.unreachable, "Events are sent later: \(error.message)")
        }
    }
}

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
        guard let answer = try? WireJSON.decode(EventBodies.Response.self, from: response.body) else {
            return .later(reason: "malformed response; check the server's address")
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

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
            throw EventsError(.unreachable, "The server did not give a token in time; events are sent later.")
        } catch {
            throw EventsError(
                .unreachable, "There is no installation token; events are sent later. \(error.localizedDescription)")
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

import Foundation
import HearthApp
import HearthClient
import HearthConcurrency
import HearthTransport
import HearthWire

/// Sends a batch to the server. Blocks.
struct EventCall: Sendable {
    let app: FirebaseApp
    let cancellation: Cancellation

    private static let call = ServerCall(
        "POST", .hearth, "events", headers: [("content-type", "application/json")], longestSeconds: 60,
        maxResponseBytes: 65_536)

    /// Sends a batch.
    ///
    /// - Parameter isSendable: Called when the token has arrived, which may take time.
    func send(
        _ batch: EventBodies.Batch, of installation: String, isSendable: () throws(EventsError) -> Bool
    ) throws(EventsError) -> Outcome {
        let client: ServerClient
        do throws(MissingOptions) {
            client = try app.server.get()
        } catch {
            throw EventsError(
                .notConfigured, "Events need \(error.list), which the options of the app '\(app.name)' lack.",
                cause: error)
        }
        do throws(ClientError) {
            let response = try client.send(
                Self.call, as: Installations.installations(app: app), cancellation: cancellation,
                body: { identity in
                    guard identity.id == installation else { throw Stop.otherInstallation }
                    guard try isSendable() else { throw Stop.notSendable }
                    return .bytes(try WireJSON.encode(batch))
                })
            return .answered(response)
        } catch {
            switch error {
            case .stopped(Stop.otherInstallation): return .otherInstallation
            case .stopped(Stop.notSendable): return .notSendable
            case .stopped(let cause as EventsError): throw cause
            default: throw Self.failure(error)
            }
        }
    }

    enum Outcome {
        case answered(TransportResponse)
        /// The batch belongs to an earlier installation. Nothing was sent.
        case otherInstallation
        /// `isSendable` returned false. Nothing was sent.
        case notSendable
    }

    private enum Stop: Error {
        case otherInstallation
        case notSendable
    }

    private static func failure(_ error: ClientError) -> EventsError {
        let text =
            switch error {
            case .cancelled: "The app was deleted; its events are sent at the next start."
            case .noTokenInTime: "Timed out waiting for an installation token; events will be sent later."
            case .noToken(let cause):
                "Cannot get an installation token; events will be sent later. \(cause.localizedDescription)"
            case .network(let cause): "Events are sent later: \(cause.message)"
            case .stopped(let cause): "The batch cannot be sent: \(cause.localizedDescription)"
            }
        return EventsError(.unreachable, text, cause: error.cause)
    }
}

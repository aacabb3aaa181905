import Foundation
import HearthApp
import HearthClient
import HearthConcurrency
import HearthTransport
import HearthWire

/// Fetches the values of the template. Blocks.
struct FetchCall: Sendable {
    let app: FirebaseApp
    let cancellation: Cancellation

    /// Sends the call.
    ///
    /// - Throws: `NSError` in ``RemoteConfigErrorDomain`` when there is no answer.
    func fetch(_ kind: FetchKind, record: ConfigRecord, timeoutSeconds: Double) throws -> TransportResponse {
        let client = try RemoteConfigCalls.client(of: app)
        var call = RemoteConfigCalls.call("fetch", record, maxResponseBytes: 8 << 20)
        call.acceptsGzip = true
        call.headers += app.reportedDescription.headers + [(WireHeader.fetchKind, kind.header)]
        do throws(ClientError) {
            return try client.send(
                call, as: Installations.installations(app: app),
                deadline: Deadline(seconds: timeoutSeconds, clock: app.environment.clock), cancellation: cancellation,
                body: { .bytes(try WireJSON.encode(FetchRequest(app: app, identity: $0, record: record))) })
        } catch {
            throw Self.failure(error, app)
        }
    }

    private static func failure(_ error: ClientError, _ app: FirebaseApp) -> NSError {
        let text =
            switch error {
            case .cancelled: "The app '\(app.name)' was deleted during the fetch."
            case .noTokenInTime: "Timed out waiting for an installation token; try again or raise fetchTimeout."
            case .noToken(let cause): "Failed to get installations token. \(cause.localizedDescription)"
            case .network(let cause): "Internal Error. \(cause.message)"
            case .stopped(let cause): "Internal Error. \(cause.localizedDescription)"
            }
        return RemoteConfigError.error(.internalError, text, underlying: error.cause)
    }
}

/// What the calls of Remote Config have in common.
enum RemoteConfigCalls {
    /// The client of the app's server.
    ///
    /// - Throws: `NSError` in ``RemoteConfigErrorDomain`` when the app's options lack the server's address or another
    ///   required value.
    static func client(of app: FirebaseApp) throws(NSError) -> ServerClient {
        do throws(MissingOptions) {
            return try app.server.get()
        } catch {
            throw RemoteConfigError.error(
                .internalError, "Remote Config needs \(error.list), which the options of the app '\(app.name)' lack.",
                underlying: error)
        }
    }

    /// Makes a call.
    ///
    /// - Parameter record: Contains the ETag of the last answer.
    static func call(_ method: String, _ record: ConfigRecord, maxResponseBytes: UInt64) -> ServerCall {
        var headers = [("content-type", "application/json")]
        if let etag = record.fetched?.etag { headers.append(("if-none-match", etag)) }
        return ServerCall(
            "POST", .v1, "namespaces/firebase:\(method)", headers: headers, maxResponseBytes: maxResponseBytes)
    }
}

/// The reason for a fetch, which the request contains.
enum FetchKind: Sendable, Equatable {
    case base
    /// A fetch after an announced update. Attempts count from 1.
    case realtime(attempt: Int)

    var header: String {
        switch self {
        case .base: "BASE/1"
        case .realtime(let attempt): "REALTIME/\(attempt)"
        }
    }
}

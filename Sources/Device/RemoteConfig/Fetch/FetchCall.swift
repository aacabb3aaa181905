import Foundation
import HearthApp
import HearthTransport
import HearthWire

/// The calls for a configuration: one that is answered, one whose answer goes on. Block.
struct FetchCall: Sendable {
    let app: FirebaseApp
    let cancellation: TransportCancellation

    private static let maxAnswerBytes: UInt64 = 8 << 20
    private static let namespace = "firebase"

    /// - Throws: `NSError` in ``RemoteConfigErrorDomain`` when there is no answer.
    func fetch(_ kind: FetchKind, record: ConfigRecord, timeoutSeconds: Double) throws -> TransportResponse {
        let address = try address()
        let deadline = app.environment.clock.uptime() + timeoutSeconds
        let response = try send(kind, record, address, deadline, renewingToken: false)
        // The server may have forgotten the token.
        return response.status == 401
            ? try send(kind, record, address, deadline, renewingToken: true) : response
    }

    /// Where the app's calls go.
    func address() throws -> ServerAddress {
        guard let address = ServerAddress(app.options) else {
            throw RemoteConfigError.error(
                .internalError,
                """
                Remote Config needs `FirebaseOptions.apiKey`, `projectID` and `serverURL`; the options of the app \
                '\(app.name)' lack one of them.
                """)
        }
        return address
    }

    static func path(_ address: ServerAddress, _ method: String) -> String {
        "/v1/projects/\(ServerAddress.segment(address.projectID))/namespaces/\(namespace):\(method)"
    }

    private func send(
        _ kind: FetchKind, _ record: ConfigRecord, _ address: ServerAddress, _ deadline: Double, renewingToken: Bool
    ) throws -> TransportResponse {
        let identity = try InstallationIdentity.identity(of: app, renewingToken: renewingToken) { try check(deadline) }
        let question = FetchQuestion(
            app: app, installationID: identity.id, token: identity.token, record: record)
        var headers = address.headers + app.toldDescription.headers + identity.headers
        headers += [("content-type", "application/json"), ("x-firebase-rc-fetch-type", kind.header)]
        if let etag = record.fetched?.etag { headers.append(("if-none-match", etag)) }
        let request = TransportRequest(
            method: "POST", url: address.url(Self.path(address, "fetch")), headers: headers,
            body: .bytes(try WireJSON.encode(question)),
            totalTimeoutSeconds: max(0.001, deadline - app.environment.clock.uptime()),
            maxResponseBytes: Self.maxAnswerBytes, cancellation: cancellation)
        do {
            return try app.environment.transport.send(request)
        } catch {
            throw RemoteConfigError.error(.internalError, "Internal Error. \(error.message)", underlying: error)
        }
    }

    private func check(_ deadline: Double) throws {
        guard !cancellation.isCancelled else {
            throw RemoteConfigError.error(.internalError, "The app '\(app.name)' was deleted during the fetch.")
        }
        guard app.environment.clock.uptime() < deadline else {
            throw RemoteConfigError.error(
                .internalError, "The server did not give a token in the time allowed; try again or allow more.")
        }
    }
}

import Foundation
import HearthApp
import HearthTransport
import HearthWire

/// The call whose answer goes on: the server writes a message into it whenever there is a new version. Blocks.
struct UpdateStream: Sendable {
    let app: FirebaseApp
    let cancellation: TransportCancellation

    enum End: Sendable, Equatable {
        /// It ended, or there was none; trying again may help.
        ///
        /// - Parameters:
        ///   - wasOpen: Whether there was one for a while.
        ///   - retryAfterSeconds: When the server wants to be asked again, if it said so.
        case closed(wasOpen: Bool, message: String, retryAfterSeconds: Double? = nil)
        /// The server does not take the token; a new one may help.
        case tokenRefused
        /// The server has no updates for this app, or the app's options name no server.
        case refused(reason: String)
    }

    private static let silenceSeconds = 330.0
    private static let tokenSeconds = 60.0
    /// Longer than a page takes that somebody else's server answers with.
    private static let whileSeconds = 60.0
    /// What a year's messages are far from.
    private static let maxBytes: UInt64 = 1 << 30

    private struct Question: Encodable {
        var project: String
        var namespace = "firebase"
        var lastKnownVersionNumber: String
        var appId: String
        var sdkVersion = FetchQuestion.sdkVersion
        var appInstanceId: String
    }

    /// - Parameter onMessage: Called on this thread with each message, nil for one that is not readable. False ends the stream.
    func listen(
        _ record: ConfigRecord, renewingToken: Bool, onMessage: @escaping (StreamMessage?) -> Bool
    ) -> End {
        let address: ServerAddress
        do {
            address = try FetchCall(app: app, cancellation: cancellation).address()
        } catch {
            return .refused(reason: error.localizedDescription)
        }
        let request: TransportRequest
        do {
            request = try self.request(to: address, record, renewingToken: renewingToken)
        } catch {
            return .closed(wasOpen: false, message: error.localizedDescription)
        }
        return send(request, onMessage: onMessage)
    }

    private func send(_ request: TransportRequest, onMessage: @escaping (StreamMessage?) -> Bool) -> End {
        let clock = app.environment.clock
        var openedAt: Double?
        var wasOpen: Bool { openedAt.map { clock.uptime() - $0 >= Self.whileSeconds } ?? false }
        var messages = StreamMessages()
        let response: TransportResponse
        do {
            response = try app.environment.transport.send(request) { head in
                if head.status == 200 { openedAt = clock.uptime() }
            } onBody: { bytes in
                guard openedAt != nil else { return }
                for message in messages.take(bytes) {
                    guard onMessage(message) else { throw CancellationError() }
                }
            }
        } catch {
            return .closed(wasOpen: wasOpen, message: error.message)
        }
        return switch response.status {
        case 200, 408, 429, 500...:
            .closed(
                wasOpen: wasOpen, message: "HTTP status \(response.status)",
                retryAfterSeconds: RetryAfter.seconds(
                    in: response.headers, nowSeconds: app.environment.clock.now().seconds))
        case 401: .tokenRefused
        default: .refused(reason: "HTTP status \(response.status)")
        }
    }

    private func request(
        to address: ServerAddress, _ record: ConfigRecord, renewingToken: Bool
    ) throws -> TransportRequest {
        let deadline = app.environment.clock.uptime() + Self.tokenSeconds
        let identity = try InstallationIdentity.identity(of: app, renewingToken: renewingToken) {
            guard !cancellation.isCancelled, app.environment.clock.uptime() < deadline else {
                throw RemoteConfigUpdateError.error(.streamError)
            }
        }
        let question = Question(
            project: address.projectID, lastKnownVersionNumber: record.fetched?.templateVersion ?? "0",
            appId: app.options.googleAppID, appInstanceId: identity.id)
        var headers = address.headers + identity.headers
        headers += [("content-type", "application/json"), ("accept", "application/json")]
        if let etag = record.fetched?.etag { headers.append(("if-none-match", etag)) }
        return TransportRequest(
            method: "POST", url: address.url(FetchCall.path(address, "streamFetchInvalidations")), headers: headers,
            body: .bytes(try WireJSON.encode(question)), stallTimeoutSeconds: Self.silenceSeconds,
            maxResponseBytes: Self.maxBytes, cancellation: cancellation)
    }
}

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

    private static let idleTimeoutSeconds = 330.0
    private static let tokenSeconds = 60.0
    /// Longer than a page takes that somebody else's server answers with.
    private static let minimumOpenSeconds = 60.0
    /// What a year's messages are far from.
    private static let maxBytes: UInt64 = 1 << 30

    private struct StreamRequest: Encodable {
        var project: String
        var namespace = "firebase"
        var lastKnownVersionNumber: String
        var appId: String
        var sdkVersion = FetchRequest.sdkVersion
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
        var wasOpen: Bool { openedAt.map { clock.uptime() - $0 >= Self.minimumOpenSeconds } ?? false }
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
        let question = StreamRequest(
            project: address.projectID, lastKnownVersionNumber: record.fetched?.templateVersion ?? "0",
            appId: app.options.googleAppID, appInstanceId: identity.id)
        var headers = address.headers + identity.headers
        headers += [("content-type", "application/json"), ("accept", "application/json")]
        if let etag = record.fetched?.etag { headers.append(("if-none-match", etag)) }
        return TransportRequest(
            method: "POST", url: address.url(FetchCall.path(address, "streamFetchInvalidations")), headers: headers,
            body: .bytes(try WireJSON.encode(question)), stallTimeoutSeconds: Self.idleTimeoutSeconds,
            maxResponseBytes: Self.maxBytes, cancellation: cancellation)
    }
}

/// One message of the stream of updates: a flat object.
struct StreamMessage: Decodable, Sendable, Equatable {
    /// Nil when it announces none.
    var version: Int64?
    /// Updates are switched off: the mere presence says so, whatever the value, as with Google's library.
    var isDisabled = false
    /// When to connect again after the stream's end, in seconds.
    var retrySeconds: Double?

    private enum CodingKeys: String, CodingKey {
        case latestTemplateVersionNumber, featureDisabled, retryIntervalSeconds
    }

    init(version: Int64?, isDisabled: Bool = false, retrySeconds: Double? = nil) {
        self.version = version
        self.isDisabled = isDisabled
        self.retrySeconds = retrySeconds
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = Self.number(values, .latestTemplateVersionNumber)
        isDisabled = values.contains(.featureDisabled)
        retrySeconds = Self.number(values, .retryIntervalSeconds).map(Double.init)
    }

    /// Numbers come as such or as texts.
    private static func number(_ values: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys) -> Int64? {
        (try? values.decode(Int64.self, forKey: key))
            ?? (try? values.decode(String.self, forKey: key)).flatMap(Int64.init)
    }
}

/// Cuts the messages out of a body that comes in pieces: an array, of which each piece may hold a part. Pure.
struct StreamMessages {
    /// Longer messages are none.
    static let limitBytes = 65_536

    /// From the bracket that begins a message on; nil between messages.
    private var open: [UInt8]?

    /// The messages that end in this piece; nil for each that is not readable.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [StreamMessage?] {
        var messages: [StreamMessage?] = []
        for byte in bytes {
            guard open != nil else {
                if byte == UInt8(ascii: "{") { open = [byte] }
                continue
            }
            open?.append(byte)
            if byte == UInt8(ascii: "}") {
                messages.append(open.flatMap { try? WireJSON.decode(StreamMessage.self, from: $0) })
                open = nil
            } else if let count = open?.count, count >= Self.limitBytes {
                messages.append(nil)
                open = nil
            }
        }
        return messages
    }
}

import Foundation
import HearthApp
import HearthClient
import HearthConcurrency
import HearthTransport
import HearthWire

/// The call whose answer goes on: the server writes a message into it whenever there is a new version. Blocks.
struct UpdateStream: Sendable {
    let app: FirebaseApp
    let cancellation: Cancellation

    enum End {
        /// It ended, or there was none; trying again may help.
        ///
        /// - Parameters:
        ///   - wasOpen: Whether there was one for a while.
        ///   - retryAfterSeconds: When the server wants to be asked again, if it said so.
        case closed(wasOpen: Bool, cause: any Error, retryAfterSeconds: Double? = nil)
        /// The server has no updates for this app or takes no token of it, or the app's options name no server.
        case refused(reason: String)
    }

    private static let idleTimeoutSeconds = 330.0
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
    func listen(_ record: ConfigRecord, onMessage: @escaping (StreamMessage?) -> Bool) -> End {
        let client: ServerClient
        do throws(NSError) {
            client = try RemoteConfigCalls.client(of: app)
        } catch {
            return .refused(reason: error.localizedDescription)
        }
        var call = RemoteConfigCalls.call("streamFetchInvalidations", record, maxResponseBytes: Self.maxBytes)
        call.headers.append(("accept", "application/json"))
        call.stallSeconds = Self.idleTimeoutSeconds
        let clock = app.environment.clock
        var openedAt: Double?
        var wasOpen: Bool { openedAt.map { clock.uptime() - $0 >= Self.minimumOpenSeconds } ?? false }
        var messages = StreamMessages()
        let response: TransportResponse
        do throws(ClientError) {
            response = try client.send(
                call, as: Installations.installations(app: app), cancellation: cancellation,
                body: { identity in
                    let request = StreamRequest(
                        project: client.address.projectID,
                        lastKnownVersionNumber: record.fetched?.templateVersion ?? "0",
                        appId: app.options.googleAppID, appInstanceId: identity.id)
                    return .bytes(try WireJSON.encode(request))
                },
                onHead: { head in
                    if head.status == 200 { openedAt = clock.uptime() }
                },
                onBody: { bytes in
                    guard openedAt != nil else { return }
                    for message in messages.take(bytes) {
                        guard onMessage(message) else { throw CancellationError() }
                    }
                })
        } catch {
            return .closed(wasOpen: wasOpen, cause: error)
        }
        if response.status == 200 || response.isBusy {
            return .closed(
                wasOpen: wasOpen, cause: StatusError(status: response.status),
                retryAfterSeconds: response.retryAfterSeconds(now: clock.now()))
        }
        return .refused(
            reason: response.status == 401 ? "The token is refused." : "HTTP status \(response.status)")
    }
}

/// The server's status where a stream was expected, or after the stream.
struct StatusError: LocalizedError {
    let status: Int

    var errorDescription: String? { "HTTP status \(status)" }
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

import Foundation
import HearthApp
import HearthClient
import HearthConcurrency
import HearthTransport
import HearthWire

/// The call for updates. Its answer stays open: the server writes a message into it for each new version. Blocks.
struct UpdateStream: Sendable {
    let app: FirebaseApp
    let cancellation: Cancellation

    /// How a stream ended.
    enum End {
        /// The stream ended or could not be opened; another attempt may help.
        ///
        /// - Parameters:
        ///   - wasOpen: Whether it was open for at least a minute.
        ///   - retryAfterSeconds: After how many seconds the server asks for another attempt, if it asks.
        case closed(wasOpen: Bool, cause: any Error, retryAfterSeconds: Double? = nil)
        /// The server has no updates for this app, it refuses the token, or the app's options lack its address.
        case refused(reason: String)
    }

    private static let idleTimeoutSeconds = 330.0
    /// Longer than the transfer of a web page, with which another server may answer.
    private static let minimumOpenSeconds = 60.0
    /// Far more than the messages of a year.
    private static let maxBytes: UInt64 = 1 << 30

    private struct StreamRequest: Encodable {
        var project: String
        var namespace = "firebase"
        var lastKnownVersionNumber: String
        var appId: String
        var sdkVersion = FetchRequest.sdkVersion
        var appInstanceId: String
    }

    /// Listens until the stream ends.
    ///
    /// - Parameter onMessage: Called on this thread with each message, nil for one that is not readable. Returning
    ///   false ends the stream.
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

/// The server's status instead of a stream, or after it.
struct StatusError: LocalizedError {
    let status: Int

    var errorDescription: String? { "HTTP status \(status)" }
}

/// One message of the stream: a flat JSON object.
struct StreamMessage: Decodable, Sendable, Equatable {
    /// The announced version; nil when the message announces none.
    var version: Int64?
    /// Whether updates are disabled: the presence of the key says so, with any value, as in Google's library.
    var isDisabled = false
    /// The seconds before the next connection after the stream's end.
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

    /// A number may be a JSON number or a text.
    private static func number(_ values: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys) -> Int64? {
        (try? values.decode(Int64.self, forKey: key))
            ?? (try? values.decode(String.self, forKey: key)).flatMap(Int64.init)
    }
}

/// Finds the messages in a body that arrives in pieces: the body is an array, and each piece may contain a part of it.
/// Pure.
struct StreamMessages {
    /// A longer message counts as not readable.
    static let limitBytes = 65_536

    /// The bytes of an unfinished message, from its opening bracket on; nil between messages.
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

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

/// The body of a fetch: the installation, and the values that conditions can use.
struct FetchRequest: Encodable, Sendable {
    static let sdkVersion = "hearth"

    var appInstanceId: String
    var appInstanceIdToken: String
    var appId: String
    var packageName: String
    var appVersion: String?
    var appBuild: String?
    var platformVersion: String
    var sdkVersion = Self.sdkVersion
    /// RFC 3339; nil when the app must not send data about its user.
    var firstOpenTime: String?
    var customSignals: [String: StoredSignal]?
    /// The user's country, and below the user's language; nil when the app must not send data about its user.
    var countryCode: String?
    var languageCode: String?

    /// Makes the body of an app's fetch.
    ///
    /// - Parameter record: Contains the custom signals and the time of the app's first run.
    init(app: FirebaseApp, identity: InstallationIdentity, record: ConfigRecord) {
        let description = app.reportedDescription
        appInstanceId = identity.id
        appInstanceIdToken = identity.token
        appId = app.options.googleAppID
        packageName = app.options.bundleID
        appVersion = description.appVersion
        appBuild = Bundle.main.object(forInfoDictionaryKey: "CFBundleVersion") as? String
        let system = ProcessInfo.processInfo.operatingSystemVersion
        platformVersion = "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)"
        if app.isDataCollectionDefaultEnabled {
            firstOpenTime = record.firstOpenMicroseconds.map { Timestamp(microseconds: $0).rfc3339(fractionDigits: 3) }
        }
        customSignals = record.signals.isEmpty ? nil : record.signals
        countryCode = description.country
        languageCode = description.language
    }
}

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
        let question = FetchRequest(
            app: app, installationID: identity.id, token: identity.token, record: record)
        var headers = address.headers + app.reportedDescription.headers + identity.headers
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
                .internalError, "Timed out waiting for an installation token; try again or raise fetchTimeout.")
        }
    }
}

/// Why the server is asked, as it is told.
enum FetchKind: Sendable, Equatable {
    case base
    /// After an update was announced; the attempt, from 1.
    case realtime(attempt: Int)

    var header: String {
        switch self {
        case .base: "BASE/1"
        case .realtime(let attempt): "REALTIME/\(attempt)"
        }
    }
}

/// The body of a fetch: who asks, and what conditions may look at.
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
    /// RFC 3339; nil where nothing may be told of the user.
    var firstOpenTime: String?
    var customSignals: [String: StoredSignal]?
    /// The user's, as the next one: nil where the app tells nothing of its user.
    var countryCode: String?
    var languageCode: String?

    /// - Parameter record: What is known from earlier.
    init(app: FirebaseApp, installationID: String, token: String, record: ConfigRecord) {
        let told = app.reportedDescription
        appInstanceId = installationID
        appInstanceIdToken = token
        appId = app.options.googleAppID
        packageName = app.options.bundleID
        appVersion = told.appVersion
        appBuild = Bundle.main.object(forInfoDictionaryKey: "CFBundleVersion") as? String
        let system = ProcessInfo.processInfo.operatingSystemVersion
        platformVersion = "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)"
        if app.isDataCollectionDefaultEnabled {
            firstOpenTime = record.firstOpenMicroseconds.map { Timestamp(microseconds: $0).rfc3339(fractionDigits: 3) }
        }
        customSignals = record.signals.isEmpty ? nil : record.signals
        countryCode = told.country
        languageCode = told.language
    }
}

extension InstallationIdentity {
    /// The same with this library's errors.
    ///
    /// - Throws: What `whileWaiting` throws; else an `NSError` in ``RemoteConfigErrorDomain``.
    static func identity(
        of app: FirebaseApp, renewingToken: Bool, whileWaiting: () throws -> Void
    ) throws -> InstallationIdentity {
        var interruption: (any Error)?
        do {
            return try InstallationIdentity(app, renewingToken: renewingToken) {
                do {
                    try whileWaiting()
                } catch {
                    interruption = error
                    throw error
                }
            }
        } catch {
            if let interruption { throw interruption }
            throw RemoteConfigError.error(
                .internalError, "Failed to get installations token. \(error.localizedDescription)", underlying: error)
        }
    }
}

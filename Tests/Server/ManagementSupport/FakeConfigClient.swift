import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthWire

/// A device as one of the three makers' clients describes it in the body of its fetch.
struct FakeConfigClient: Sendable {
    enum Client: String, Sendable, CaseIterable {
        case ios = "iOS"
        case android = "Android"
        case web = "web"
    }

    var client: Client
    var id = TestService.fid
    /// The last part of the app's id.
    var app = "ab12"
    var country = "us"
    var language = "en_US"
    var version = "1.0"
    var build = "1"
    /// RFC 3339; a client that knows none leaves it out.
    var firstOpen: String?
    /// Members of a JSON object, as they stand between its braces.
    var properties = ""
    var signals = ""
    /// What the header of Hearth's own library has.
    var tags: String?
    /// When it asks, in seconds after the start of the test's clock, which is 2027-01-15T08:00:00Z.
    var asksAfterSeconds: Int64 = 0

    var appID: String { "1:1234:\(client.rawValue.lowercased()):\(app)" }

    func body(token: String) -> [UInt8] {
        switch client {
        case .ios: GzipFile.stored(Array(loose(token).utf8))
        case .android: Array(camelCase.utf8)
        case .web: Array(snakeCase(token).utf8)
        }
    }

    /// Bare names, texts in single quotes, and real JSON for the last two.
    private func loose(_ token: String) -> String {
        var body =
            "{app_instance_id:'\(id)', app_instance_id_token:'\(token)', app_id:'\(appID)', country_code:'\(country)', "
            + "language_code:'\(language)', platform_version:'17.5', time_zone:'Europe/Berlin', "
            + "package_name:'com.example.app', app_version:'\(version)', app_build:'\(build)', sdk_version:'11.0.0'"
        if let firstOpen { body += ", first_open_time:'\(firstOpen)'" }
        if !properties.isEmpty { body += ", analytics_user_properties:{\(properties)}" }
        if !signals.isEmpty { body += ", custom_signals:{\(signals)}" }
        return body + "}"
    }

    private var camelCase: String {
        let opened = firstOpen.map { #","firstOpenTime":"\#($0)""# } ?? ""
        return #"{"appInstanceId":"\#(id)","appInstanceIdToken":"x","appId":"\#(appID)","countryCode":"\#(country)","#
            + #""languageCode":"\#(language)","platformVersion":"34","timeZone":"Europe/Berlin","appVersion":"\#(version)","#
            + #""appBuild":"\#(build)","packageName":"com.example.app","sdkVersion":"22.0.0","#
            + #""analyticsUserProperties":{\#(properties)},"customSignals":{\#(signals)}\#(opened)}"#
    }

    /// Pages in a browser say little of themselves.
    private func snakeCase(_ token: String) -> String {
        #"{"sdk_version":"12.0.0","app_instance_id":"\#(id)","app_instance_id_token":"\#(token)","app_id":"\#(appID)","#
            + #""language_code":"\#(language)","custom_signals":{\#(signals)}}"#
    }

    func headers(token: String) -> HTTPHeaders {
        var headers: HTTPHeaders = ["x-hearth-tags": tags ?? ""]
        switch client {
        case .ios:
            headers["Content-Encoding"] = "gzip"
            headers["X-Ios-Bundle-Identifier"] = "com.example.app"
            headers["x-goog-firebase-installations-auth"] = token
        case .android:
            headers["X-Android-Package"] = "com.example.app"
            headers["X-Goog-Firebase-Installations-Auth"] = token
        case .web:
            // It says so, and does not compress.
            headers["Content-Encoding"] = "gzip"
        }
        return headers
    }
}

extension TestService {
    /// The device's fetch, with an installation token of its own.
    func fetch(_ device: FakeConfigClient) throws -> TestResponse {
        time.advance(seconds: device.asksAfterSeconds)
        defer { time.advance(seconds: -device.asksAfterSeconds) }
        let token = try services.installationTokens.issue(
            fid: device.id, appID: device.appID, projectNumber: a.project.number, nowSeconds: time.now.seconds)
        let project = device.client == .android ? String(a.project.number) : a.project.id
        var headers = device.headers(token: token)
        var target = "/v1/projects/\(project)/namespaces/firebase:fetch"
        if device.client == .android {
            headers["X-Goog-Api-Key"] = a.apiKey
        } else {
            target += "?key=\(a.apiKey)"
        }
        return try call(.post, target, headers: headers, body: device.body(token: token))
    }
}

extension FakeConfigClient {
    static func ios(_ edit: (inout FakeConfigClient) -> Void = { _ in }) -> FakeConfigClient { make(.ios, edit) }

    static func android(_ edit: (inout FakeConfigClient) -> Void = { _ in }) -> FakeConfigClient {
        make(.android, edit)
    }

    static func web(_ edit: (inout FakeConfigClient) -> Void = { _ in }) -> FakeConfigClient { make(.web, edit) }

    static func make(_ client: Client, _ edit: (inout FakeConfigClient) -> Void) -> FakeConfigClient {
        var device = FakeConfigClient(client: client)
        edit(&device)
        return device
    }

    /// `Android, version 2.10.1`: the client, and what is special about the device.
    var title: String {
        let usual = FakeConfigClient(client: client)
        let facts: [(String, KeyPath<FakeConfigClient, String>)] = [
            ("id", \.id), ("app", \.app), ("country", \.country), ("language", \.language), ("version", \.version),
            ("build", \.build), ("properties", \.properties), ("signals", \.signals),
        ]
        var parts = facts.filter { self[keyPath: $0.1] != usual[keyPath: $0.1] }.map {
            "\($0.0) \(self[keyPath: $0.1])"
        }
        if let firstOpen { parts.append("first opened \(firstOpen)") }
        if let tags { parts.append("tags \(tags)") }
        if asksAfterSeconds != 0 { parts.append("asks \(asksAfterSeconds) s after 2027-01-15T08:00:00Z") }
        return ([client.rawValue] + parts).joined(separator: ", ")
    }
}

import EndToEndDriving
import Foundation
import Glibc
import HearthTestSupport
import HearthWire
import Testing

/// A `hearth follow` over a data folder of its own. Killed and reaped when released.
final class FollowerProcess {
    let url: String
    let data: TemporaryFolder
    private let program: RunningProgram

    var log: String { program.errors }

    init(of main: String, token: String, data: TemporaryFolder? = nil, arguments: [String] = []) throws {
        let folder = try data ?? TemporaryFolder()
        self.data = folder
        program = try RunningProgram(
            HearthProgram.path(),
            ["follow", main, "--data", folder.path, "--port", "0", "--poll-seconds", "1"] + arguments,
            environment: ["HEARTH_TOKEN": token])
        let greeting = try program.readOutput(until: "serving at ", seconds: 60)
        let line = try greeting.contains("\n") ? greeting : program.readOutput(until: "\n", seconds: 10)
        url = try String(#require(line.split(whereSeparator: \.isWhitespace).last { $0.hasPrefix("http") }))
    }

    func terminate() throws -> ProcessResult {
        program.send(SIGTERM)
        return try program.waitForExit(seconds: 30)
    }

    /// What `/readyz` says.
    func readiness() throws -> String { String(decoding: try Curl.call(url + "/readyz").body, as: UTF8.self) }

    /// The value of a metric.
    func metric(_ name: String) throws -> Double? {
        let text = String(decoding: try Curl.call(url + "/metrics").body, as: UTF8.self)
        return text.split(separator: "\n").first { $0.hasPrefix(name + " ") }.flatMap {
            Double($0.split(separator: " ")[1])
        }
    }
}

/// A device that talks to one address, with the key of an app of another server.
struct SiteDevice {
    let url: String
    let apiKey: String
    let project: String
    let fid: String
    let refreshToken: String
    let token: String

    /// Registers an installation at `url`.
    init(_ url: String, of main: ServerProcess) throws {
        let configuration = try main.deviceConfiguration()
        self.url = url
        apiKey = try #require(configuration["API_KEY"])
        project = try #require(configuration["PROJECT_ID"])
        let appID = try #require(configuration["GOOGLE_APP_ID"])
        let reply = try Curl.call(
            "\(url)/v1/projects/\(project)/installations",
            [
                "-H", "x-goog-api-key: \(apiKey)", "-H", "Content-Type: application/json", "-d",
                #"{"appId": "\#(appID)", "authVersion": "FIS_v2", "sdkVersion": "curl"}"#,
            ])
        try #require(reply.status == 200)
        let body = try reply.decode(InstallationBodies.CreateResponse.self)
        (fid, refreshToken, token) = (try #require(body.fid), body.refreshToken, body.authToken.token)
    }

    func info(_ model: String, at other: String? = nil, _ arguments: [String] = []) throws -> Curl.Reply {
        try Curl.call(
            "\(other ?? url)/v1beta2/projects/\(project)/models/\(model):download",
            ["-H", "x-goog-api-key: \(apiKey)", "-H", "x-goog-firebase-installations-auth: \(token)"] + arguments)
    }

    /// The bytes of the model; nil if the server has none for the device.
    func download(_ model: String) throws -> [UInt8]? {
        let reply = try info(model)
        guard reply.status == 200 else { return nil }
        return try Curl.call(reply.decode(DownloadInfo.self).downloadUri).body
    }

    /// The status of the call that renews the token.
    func renew(at other: String? = nil) throws -> Int {
        try Curl.call(
            "\(other ?? url)/v1/projects/\(project)/installations/\(fid)/authTokens:generate",
            [
                "-X", "POST", "-H", "x-goog-api-key: \(apiKey)", "-H", "Authorization: FIS_v2 \(refreshToken)", "-d",
                "{}",
            ]
        ).status
    }

    /// The answer to a batch with one event.
    func report(at other: String? = nil) throws -> Curl.Reply {
        try Curl.call(
            "\(other ?? url)/hearth/v1/projects/\(project)/events",
            [
                "-H", "x-goog-api-key: \(apiKey)", "-H", "x-goog-firebase-installations-auth: \(token)", "-H",
                "Content-Type: application/json", "-d",
                """
                {"journal": "\(fid)", "items": [{"sequence": 1, "time": "2026-11-21T13:00:00Z", "event": {"name": "opened"}}]}
                """,
            ])
    }
}

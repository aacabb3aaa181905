import EndToEndDriving
import Foundation
import HearthTestSupport
import HearthWire
import Testing

/// The machine's own `curl`, as a person at a terminal would use it.
enum Curl {
    private static let path = "/usr/bin/curl"

    struct Reply {
        var status: Int
        /// Names in lower case.
        var headers: [String: String]
        var body: [UInt8]

        func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try WireJSON.decode(type, from: body)
        }

        /// The body as an error envelope: `code` (which is the HTTP status), `message` and `status`.
        func error() throws -> (message: String, status: String) {
            let json = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
            let error = try #require(json?["error"] as? [String: Any])
            #expect(error["code"] as? Int == status)
            return (try #require(error["message"] as? String), try #require(error["status"] as? String))
        }
    }

    /// One call; `curl` itself must succeed.
    static func call(_ url: String, _ arguments: [String] = []) throws -> Reply {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw RunningProgram.Failure(description: "There is no \(path). scripts/bootstrap installs it.")
        }
        let folder = try TemporaryFolder()
        let (head, body) = (folder.path + "/head", folder.path + "/body")
        let ending = try RunningProgram(
            path, ["-sS", "--max-time", "60", "-D", head, "-o", body, "-w", "%{http_code}"] + arguments + [url]
        ).waitForExit(seconds: 90)
        guard ending.exitCode == 0, let status = Int(ending.output) else {
            throw RunningProgram.Failure(description: "curl failed: \(ending.errors)")
        }
        return Reply(
            status: status, headers: headers(try String(contentsOfFile: head, encoding: .utf8)),
            body: FileManager.default.contents(atPath: body).map { Array($0) } ?? [])
    }

    private static func headers(_ text: String) -> [String: String] {
        let pairs = text.split(separator: "\r\n").compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
        return Dictionary(pairs) { $1 }
    }
}

/// What a device does, with `curl` and the device credentials file.
struct CurlDevice {
    let server: ServerProcess
    let apiKey: String
    let appID: String
    let projectID: String
    let token: String

    /// Makes an installation.
    init(_ server: ServerProcess) throws {
        self.server = server
        let configuration = try server.deviceConfiguration()
        apiKey = try #require(configuration["API_KEY"])
        appID = try #require(configuration["GOOGLE_APP_ID"])
        projectID = try #require(configuration["PROJECT_ID"])
        let reply = try Curl.call(
            "\(server.url)/v1/projects/\(projectID)/installations",
            [
                "-H", "x-goog-api-key: \(apiKey)", "-H", "Content-Type: application/json", "-d",
                #"{"appId": "\#(appID)", "authVersion": "FIS_v2", "sdkVersion": "curl"}"#,
            ])
        #expect(reply.status == 200)
        token = try reply.decode(InstallationBodies.CreateResponse.self).authToken.token
    }

    /// `:download`: what a device asks for a model by its display name.
    func info(_ displayName: String, apiKey: String? = nil, _ arguments: [String] = []) throws -> Curl.Reply {
        try Curl.call(
            "\(server.url)/v1beta2/projects/\(projectID)/models/\(displayName):download",
            [
                "-H", "x-goog-api-key: \(apiKey ?? self.apiKey)", "-H",
                "x-goog-firebase-installations-auth: \(token)",
            ] + arguments)
    }

    /// The link to the bytes of a published model.
    func link(_ displayName: String) throws -> String {
        try info(displayName).decode(DownloadInfo.self).downloadUri
    }
}

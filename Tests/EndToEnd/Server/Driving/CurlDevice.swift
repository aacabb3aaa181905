import EndToEndDriving
import HearthWire
import Testing

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

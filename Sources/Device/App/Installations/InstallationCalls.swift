import Foundation
import HearthTransport
import HearthWire

/// The three calls about an installation. Blocks.
struct InstallationCalls: Sendable {
    let appID: String
    let address: ServerAddress
    let transport: any Transport

    private static let sdkVersion = "i:hearth"

    func create(fid: String) throws -> TransportResponse {
        let body = InstallationBodies.CreateRequest(
            fid: fid, authVersion: "FIS_v2", appId: appID, sdkVersion: Self.sdkVersion)
        return try send("POST", collection, body: try WireJSON.encode(body))
    }

    func renew(fid: String, refreshToken: String) throws -> TransportResponse {
        let body = InstallationBodies.GenerateRequest(
            installation: .init(sdkVersion: Self.sdkVersion, appId: appID))
        return try send(
            "POST", resource(fid) + "/authTokens:generate", refreshToken: refreshToken, body: try WireJSON.encode(body))
    }

    func delete(fid: String, refreshToken: String) throws -> TransportResponse {
        try send("DELETE", resource(fid), refreshToken: refreshToken, body: Array("{}".utf8))
    }

    /// What the server says about its refusal.
    static func reason(_ response: TransportResponse) -> String {
        let envelope = try? WireJSON.decode(ErrorEnvelope.self, from: response.body)
        return "The server responded with an error: \(envelope?.error.message ?? "HTTP status \(response.status)")"
    }

    private var collection: String { "/v1/projects/\(ServerAddress.segment(address.projectID))/installations" }

    private func resource(_ fid: String) -> String { collection + "/" + ServerAddress.segment(fid) }

    private func send(
        _ method: String, _ path: String, refreshToken: String? = nil, body: [UInt8]
    ) throws -> TransportResponse {
        let authorization = refreshToken.map { [("Authorization", "FIS_v2 \($0)")] } ?? []
        let request = TransportRequest(
            method: method, url: address.url(path),
            headers: address.headers + authorization + [("Content-Type", "application/json")],
            body: .bytes(body), totalTimeoutSeconds: 30, maxResponseBytes: 65_536)
        do {
            let response = try transport.send(request)
            // Once more and at once, as Google's clients do.
            return response.status == 500 ? try transport.send(request) : response
        } catch {
            throw InstallationsErrorCode.error(.serverUnreachable, error.message, underlying: error)
        }
    }
}

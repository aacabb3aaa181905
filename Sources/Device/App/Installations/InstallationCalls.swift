import Foundation
import HearthClient
import HearthConcurrency
import HearthTransport
import HearthWire

/// The three calls about an installation. Each call blocks.
struct InstallationCalls: Sendable {
    let appID: String
    let client: ServerClient
    let cancellation: Cancellation

    private static let sdkVersion = "i:hearth"
    private static let collection = "installations"

    /// Registers an installation.
    func create(fid: String) throws -> TransportResponse {
        let body = InstallationBodies.CreateRequest(
            fid: fid, authVersion: "FIS_v2", appId: appID, sdkVersion: Self.sdkVersion)
        return try send("POST", Self.collection, body: try WireJSON.encode(body))
    }

    /// Requests a new token for a registered installation.
    func renew(fid: String, refreshToken: String) throws -> TransportResponse {
        let body = InstallationBodies.GenerateRequest(
            installation: .init(sdkVersion: Self.sdkVersion, appId: appID))
        return try send(
            "POST", resource(fid) + "/authTokens:generate", refreshToken: refreshToken, body: try WireJSON.encode(body))
    }

    /// Deletes a registered installation.
    func delete(fid: String, refreshToken: String) throws -> TransportResponse {
        try send("DELETE", resource(fid), refreshToken: refreshToken, body: Array("{}".utf8))
    }

    /// The server's text about its refusal.
    static func reason(_ response: TransportResponse) -> String {
        "The server responded with an error: \(response.refusalReason ?? "HTTP status \(response.status)")"
    }

    private func resource(_ fid: String) -> String { Self.collection + "/" + PercentEncoding.encode(fid) }

    private func send(
        _ method: String, _ resource: String, refreshToken: String? = nil, body: [UInt8]
    ) throws -> TransportResponse {
        let call = ServerCall(
            method, .v1, resource, headers: [("Content-Type", "application/json")], longestSeconds: 30,
            maxResponseBytes: 65_536)
        let authorization = refreshToken.map { [("Authorization", "FIS_v2 \($0)")] } ?? []
        do throws(ClientError) {
            let response = try client.send(
                call, headers: authorization, body: .bytes(body), cancellation: cancellation)
            // Repeated once and immediately, as Google's clients do.
            return response.status == 500
                ? try client.send(call, headers: authorization, body: .bytes(body), cancellation: cancellation)
                : response
        } catch {
            throw Self.unreachable(error)
        }
    }

    static var appDeleted: NSError {
        InstallationsErrorCode.error(.serverUnreachable, "The call was cancelled, because the app was deleted.")
    }

    private static func unreachable(_ error: ClientError) -> NSError {
        guard case .network(let error) = error else { return appDeleted }
        return InstallationsErrorCode.error(.serverUnreachable, error.message, underlying: error)
    }
}

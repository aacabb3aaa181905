import Foundation
import HearthCrypto

/// Installation identities: refresh tokens and the tokens that devices show with each call.
///
/// Nothing is stored: both tokens are signed, so a million installations cost the server no row, and a server that
/// lost its secret answers 401, upon which devices register anew by themselves.
public struct InstallationTokens: Sendable {
    /// What a valid device token says.
    public struct Claims: Codable, Sendable, Equatable {
        public var appId: String
        public var exp: Int64
        public var fid: String
        public var projectNumber: Int64

        public init(appId: String, exp: Int64, fid: String, projectNumber: Int64) {
            self.appId = appId
            self.exp = exp
            self.fid = fid
            self.projectNumber = projectNumber
        }
    }

    /// Seven days, as the clients expect. It must be over an hour, or they refresh before every call.
    public static let lifetimeSeconds: Int64 = 604_800

    private let deviceKey: HMACSHA256
    private let refreshKey: HMACSHA256

    public init(secret: ServerSecret) {
        deviceKey = secret.key(for: "installation token 1")
        refreshKey = secret.key(for: "installation refresh token 1")
    }

    public func issue(fid: String, appID: String, projectNumber: Int64, nowSeconds: Int64) throws -> String {
        let claims = Claims(
            appId: appID, exp: nowSeconds + Self.lifetimeSeconds, fid: fid, projectNumber: projectNumber)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return JWT.encodeHS256(payload: Array(try encoder.encode(claims)), key: deviceKey)
    }

    /// The claims, or nil when the token is not ours, altered or expired.
    public func verify(_ token: String, nowSeconds: Int64) -> Claims? {
        guard let parsed = try? JWT.parse(token), parsed.verifyHS256(with: deviceKey),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(parsed.payload)), claims.exp > nowSeconds
        else { return nil }
        return claims
    }

    /// `3_{app id}_{tag}`: opaque to clients.
    public func refreshToken(fid: String, appID: String, projectNumber: Int64) -> String {
        let tag = refreshKey.tag(for: Self.message(fid, appID, projectNumber))
        return "3_" + Base64URL.encode(Array(appID.utf8)) + "." + Base64URL.encode(tag)
    }

    /// The app id that the refresh token was made for, or nil when it does not belong to this installation.
    public func verifyRefreshToken(_ token: String, fid: String, projectNumber: Int64) -> String? {
        guard token.utf8.count <= 1024, token.hasPrefix("3_") else { return nil }
        let parts = token.dropFirst(2).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let app = Base64URL.decode(String(parts[0])),
            let appID = String(validating: app, as: UTF8.self), let tag = Base64URL.decode(String(parts[1])),
            refreshKey.isValid(tag, for: Self.message(fid, appID, projectNumber))
        else { return nil }
        return appID
    }

    /// Lengths go in front, so that no two triples share a message.
    private static func message(_ fid: String, _ appID: String, _ projectNumber: Int64) -> [UInt8] {
        Array("\(projectNumber)|\(fid.utf8.count)|\(fid)|\(appID)".utf8)
    }
}

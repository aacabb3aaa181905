import Foundation
internal import Glibc
package import HearthCatalog
import HearthCrypto

/// Installation identities: refresh tokens, and the tokens that devices send with each call.
///
/// Both tokens are signed and not stored. A device's token is checked without the database. A refresh token belongs to
/// one record of the installation, and ends with it. Once the key that signed a token is retired or lost, the server
/// answers 401; devices then register again automatically, as new installations.
package struct InstallationTokens: Sendable {
    /// The content of a valid device token.
    package struct Claims: Codable, Sendable, Equatable {
        package var appId: String
        package var exp: Int64
        package var fid: String
        package var projectNumber: Int64

        package init(appId: String, exp: Int64, fid: String, projectNumber: Int64) {
            self.appId = appId
            self.exp = exp
            self.fid = fid
            self.projectNumber = projectNumber
        }
    }

    /// Seven days, as the clients expect. It must be more than an hour; otherwise they refresh before every call.
    package static let lifetimeSeconds: Int64 = 604_800

    private let secret: ServerSecret

    package init(secret: ServerSecret) { self.secret = secret }

    package func issue(fid: String, appID: String, projectNumber: Int64, nowSeconds: Int64) throws -> String {
        let claims = Claims(
            appId: appID, exp: nowSeconds + Self.lifetimeSeconds, fid: fid, projectNumber: projectNumber)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return JWT.encodeHS256(payload: Array(try encoder.encode(claims)), key: secret.derived.deviceTokens[0])
    }

    /// The claims; nil if the token was not issued by this server, was altered or has expired.
    package func verify(_ token: String, nowSeconds: Int64) -> Claims? {
        guard let payload = JWT.openHS256(token, keys: secret.derived.deviceTokens),
            let claims = ClaimsReader.read(payload) ?? (try? JSONDecoder().decode(Claims.self, from: Data(payload))),
            SignedTime.isAhead(claims.exp, lifetimeSeconds: Self.lifetimeSeconds, nowSeconds: nowSeconds)
        else { return nil }
        return claims
    }

    /// `3_{moment of the record's creation}.{app id}.{tag}`: opaque to clients. It ends when the installation's record is
    /// deleted, even if a record with the same id is created again, because the tag includes that moment.
    ///
    /// The token contains what the tag is about, so that it can be verified while the database with the record is away.
    /// Earlier versions issued `3_{tag}`.
    package func refreshToken(of installation: Installation) -> String {
        let tag = secret.derived.refreshTokens[0].tag(for: Self.message(installation))
        let app = Base64URL.encode(Array(installation.appID.utf8))
        return "\(Self.refreshPrefix)\(installation.createdMicroseconds).\(app).\(Base64URL.encode(tag))"
    }

    /// Whether the refresh token belongs to this record.
    package func verifyRefreshToken(_ token: String, of installation: Installation) -> Bool {
        guard let parts = Self.parts(of: token) else { return false }
        guard parts.count == 1 else {
            return self.installation(ofRefreshToken: token, fid: installation.fid, project: installation.projectID)
                == installation
        }
        return isValid(parts[0], for: installation)
    }

    /// The record to which the refresh token of that installation belongs, as far as the token says: the record may be
    /// deleted. Nil for a token that this server has not issued, and for one of an earlier version.
    package func installation(ofRefreshToken token: String, fid: String, project: String) -> Installation? {
        guard let parts = Self.parts(of: token), parts.count == 3, let created = Int64(parts[0]),
            let app = Base64URL.decode(String(parts[1]))
        else { return nil }
        let installation = Installation(
            projectID: project, fid: fid, appID: String(decoding: app, as: UTF8.self), createdMicroseconds: created)
        return isValid(parts[2], for: installation) ? installation : nil
    }

    private func isValid(_ tag: Substring, for installation: Installation) -> Bool {
        guard let tag = Base64URL.decode(String(tag)) else { return false }
        let message = Self.message(installation)
        return secret.derived.refreshTokens.contains { $0.isValid(tag, for: message) }
    }

    private static func parts(of token: String) -> [Substring]? {
        guard token.utf8.count <= longestRefreshToken, token.hasPrefix(refreshPrefix) else { return nil }
        return token.dropFirst(refreshPrefix.count).split(separator: ".", omittingEmptySubsequences: false)
    }

    private static let refreshPrefix = "3_"
    /// An app id has at most 256 bytes.
    private static let longestRefreshToken = 512

    /// Each text is preceded by its length, so that no two records have the same message.
    private static func message(_ installation: Installation) -> [UInt8] {
        let texts = [installation.projectID, installation.fid, installation.appID].map { "\($0.utf8.count) \($0)" }
        return Array("\(installation.createdMicroseconds) \(texts.joined())".utf8)
    }
}

/// Parses the claims of a device token in the one form that `InstallationTokens.issue` writes, because every call of
/// every device needs it. Claims with escaped characters are left to a full JSON decoder.
struct ClaimsReader {
    private var rest: Slice<UnsafeBufferPointer<UInt8>>

    /// `nil` for any other form, which may still be valid.
    static func read(_ payload: [UInt8]) -> InstallationTokens.Claims? {
        payload.withUnsafeBufferPointer { payload in
            var reader = ClaimsReader(rest: payload[...])
            return reader.claims()
        }
    }

    private mutating func claims() -> InstallationTokens.Claims? {
        guard skip(#"{"appId":"#), let appID = text(), skip(#","exp":"#), let expires = number(),
            skip(#","fid":"#), let fid = text(), skip(#","projectNumber":"#), let number = number(), skip("}"),
            rest.isEmpty
        else { return nil }
        return InstallationTokens.Claims(appId: appID, exp: expires, fid: fid, projectNumber: number)
    }

    private mutating func skip(_ expected: StaticString) -> Bool {
        let count = expected.utf8CodeUnitCount
        guard rest.count >= count, let found = UnsafeBufferPointer(rebasing: rest.prefix(count)).baseAddress,
            memcmp(found, expected.utf8Start, count) == 0
        else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    /// A string without escapes.
    private mutating func text() -> String? {
        guard skip("\""), let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }),
            rest[end] == UInt8(ascii: "\"")
        else { return nil }
        // The payload was signed by this server, so it is UTF-8.
        let text = String(decoding: UnsafeBufferPointer(rebasing: rest[..<end]), as: UTF8.self)
        rest = rest[(end + 1)...]
        return text
    }

    /// A number that cannot overflow, because at most 18 digits are read.
    private mutating func number() -> Int64? {
        var value: Int64 = 0
        let digits = rest.prefix(18).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        for digit in digits { value = value * 10 + Int64(digit - UInt8(ascii: "0")) }
        rest = rest.dropFirst(digits.count)
        return digits.isEmpty ? nil : value
    }
}

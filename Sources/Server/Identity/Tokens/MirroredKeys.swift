import Foundation
import HearthCrypto
import HearthFiles
import HearthStorage

/// The keys of a server that a follower needs to answer its devices: those of device tokens and refresh tokens, and that
/// of the hashes of installations.
///
/// They are derived from the signing keys, which cannot be found from them. Whoever has them can make tokens of devices.
/// Access tokens for admin calls cannot be made, and neither can links of the server.
package struct MirroredKeys: Sendable, Equatable {
    /// The one that signs first.
    package var deviceTokens: [[UInt8]]
    package var refreshTokens: [[UInt8]]
    package var installationHashKey: [UInt8]

    package init(deviceTokens: [[UInt8]], refreshTokens: [[UInt8]], installationHashKey: [UInt8]) {
        self.deviceTokens = deviceTokens
        self.refreshTokens = refreshTokens
        self.installationHashKey = installationHashKey
    }

    /// Whether there are a few keys of the right length.
    package var isPlausible: Bool {
        let all = deviceTokens + refreshTokens + [installationHashKey]
        return (1...Self.most).contains(deviceTokens.count) && deviceTokens.count == refreshTokens.count
            && all.allSatisfy { $0.count == HMACSHA256.tagByteCount }
    }

    private static let most = 2 * ServerSecret.mostInUse
}

extension MirroredKeys: Codable {
    private enum Name: String, CodingKey {
        case deviceTokens
        case refreshTokens
        case installationHashKey
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Name.self)
        func bytes(_ text: String) throws -> [UInt8] {
            guard let bytes = Base64URL.decode(text) else {
                throw StorageError(.corrupt, "A key is not in base64url")
            }
            return bytes
        }
        deviceTokens = try values.decode([String].self, forKey: .deviceTokens).map(bytes)
        refreshTokens = try values.decode([String].self, forKey: .refreshTokens).map(bytes)
        installationHashKey = try bytes(values.decode(String.self, forKey: .installationHashKey))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Name.self)
        try values.encode(deviceTokens.map { Base64URL.encode($0) }, forKey: .deviceTokens)
        try values.encode(refreshTokens.map { Base64URL.encode($0) }, forKey: .refreshTokens)
        try values.encode(Base64URL.encode(installationHashKey), forKey: .installationHashKey)
    }
}

/// Keys of another server, and how this one uses them.
package struct MirroredSecret: Sendable {
    package var keys: MirroredKeys
    /// Whether tokens of devices are signed with them: at a follower, so that the other server accepts what this one
    /// signs. Otherwise they only verify: at a follower that became a main server.
    package var signs: Bool
    /// The file that they were read from, and when it was written; nil for others.
    fileprivate(set) var source: (file: String, writtenMicroseconds: Int64)?

    package init(keys: MirroredKeys, signs: Bool) {
        self.keys = keys
        self.signs = signs
    }

    /// Reads the file; nil without one.
    package init?(file: String, signs: Bool) throws {
        guard PathKind(file) != .absent else { return nil }
        do {
            let bytes = try DiskFiles().read(file, limitBytes: 1 << 16)
            keys = try JSONDecoder().decode(MirroredKeys.self, from: Data(bytes))
            guard keys.isPlausible else { throw StorageError(.corrupt, "It does not hold keys") }
        } catch {
            throw StorageError(
                .corrupt, "The mirrored keys \(file) are damaged. Restore the file from a backup. (\(error))",
                cause: error)
        }
        self.signs = signs
        source = (file, (FileStamp(path: file)?.modified ?? 0) / 1000)
    }

    package func write(to file: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try AtomicFile.write(Array(try encoder.encode(keys)), to: file)
    }
}

import Foundation
package import HearthCatalog
import HearthCrypto
package import HearthFiles
import HearthWire

/// Signing keys in files of mode 0600, for the one server of a data folder. Anyone who can read them can sign.
///
/// The first key is 32 bytes in a file of its own, `signing-secret`, which every version of Hearth reads. Each further
/// key is a file beside it, `signing-key-2` and so on: JSON with its time and its secret. So every change replaces one
/// file as a whole. A retired key's file stays without the secret, and keeps its number from being used again.
///
/// The retired form of the first key is JSON too. It is longer than 32 bytes on purpose: an older Hearth refuses to start
/// with it, and does not make a new secret in its place.
package struct FileSigningKeyStore: SigningKeyStore {
    /// The content of a key's file, except of the first one in use.
    private struct Content: Codable {
        /// RFC 3339, as is `retireTime`.
        var createTime: String
        var retireTime: String?
        /// Base64url, as is `installationHashKey`.
        var secret: String?
        var installationHashKey: String?
    }

    private static let furtherName = "signing-key-"

    private let firstPath: String
    private let files: any FileOperations

    /// - Parameter firstPath: the file of the first key.
    package init(firstPath: String, files: any FileOperations = DiskFiles()) {
        self.firstPath = firstPath
        self.files = files
    }

    package var isShared: Bool { false }
    /// Only this server changes the files.
    package var revision: UInt64 { 0 }

    package func load() throws -> [SigningKey] {
        try numbers().map(key)
    }

    package func loadOrMake(nowMicroseconds: Int64) throws -> [SigningKey] {
        if try files.size(firstPath) == nil {
            try write(SigningKey.next(after: [], nowMicroseconds: nowMicroseconds))
        }
        let keys = try load()
        guard !keys.contains(where: { !$0.isRetired }) else { return keys }
        let key = SigningKey.next(after: keys, nowMicroseconds: nowMicroseconds)
        try write(key)
        return keys + [key]
    }

    package func load(in transaction: any MetadataReader) throws -> [SigningKey] { try load() }
    package func add(_ key: SigningKey, in transaction: any MetadataWriter) throws { try write(key) }
    package func retire(_ key: SigningKey, in transaction: any MetadataWriter) throws { try write(key) }

    /// The files that are there.
    package func paths() throws(FileError) -> [String] {
        try numbers().map(path)
    }

    /// Deletes partly written files, which interrupted writes left and which contain secrets.
    package func sweepAbandoned() throws(FileError) {
        try AtomicFile.sweepAbandoned(of: firstPath, files: files)
        let names = Set(
            try list().compactMap { $0.firstMatch(of: #/^signing-key-[0-9]+(?=\.new-)/#).map { String($0.0) } })
        for name in names {
            try AtomicFile.sweepAbandoned(of: FilePath.join(FilePath.folder(of: firstPath), name), files: files)
        }
    }

    private func path(_ number: Int) -> String {
        guard number > 1 else { return firstPath }
        return FilePath.join(FilePath.folder(of: firstPath), Self.furtherName + String(number))
    }

    private func list() throws(FileError) -> [String] { try files.list(FilePath.folder(of: firstPath)) }

    /// In their order. Other names, such as those of an operator's copies, do not count.
    private func numbers() throws(FileError) -> [Int] {
        let further = try list().compactMap { (name) -> Int? in
            guard name.hasPrefix(Self.furtherName), let number = Int(name.dropFirst(Self.furtherName.count)),
                number > 1, name == Self.furtherName + String(number)
            else { return nil }
            return number
        }
        return (try files.size(firstPath) == nil ? [] : [1]) + further.sorted()
    }

    private func key(_ number: Int) throws(FileError) -> SigningKey {
        let path = path(number)
        let bytes = try files.read(path, limitBytes: 1024)
        if number == 1, bytes.count == SigningKey.secretBytes {
            // The bytes have no place for a time. That of the file is later after a restore from a backup.
            let created = (FileStamp(path: path)?.modified ?? 0) / 1000
            return SigningKey(number: 1, secret: bytes, createdMicroseconds: created)
        }
        guard let key = Self.decoded(bytes, number) else {
            throw FileError(
                .mismatch,
                "The signing \(number == 1 ? "secret" : "key") \(path) is damaged: \(Self.fault(bytes, number))")
        }
        return key
    }

    private static func fault(_ bytes: [UInt8], _ number: Int) -> String {
        number == 1 ? "it has \(bytes.count) bytes, not \(SigningKey.secretBytes)" : "it does not contain a key"
    }

    /// The files that contain no key, with what is wrong. Changes nothing.
    package func damage() throws(FileError) -> [(path: String, fault: String)] {
        var damage: [(path: String, fault: String)] = []
        for number in try numbers() {
            do throws(FileError) {
                _ = try key(number)
            } catch {
                guard error.code == .mismatch else { throw error }
                let bytes = (try? files.read(path(number), limitBytes: 1024)) ?? []
                damage.append((path(number), Self.fault(bytes, number)))
            }
        }
        return damage
    }

    /// Nil unless it has a secret or is retired, and for a first key that is in use, which has another form.
    private static func decoded(_ bytes: [UInt8], _ number: Int) -> SigningKey? {
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)),
            let created = Timestamp(rfc3339: content.createTime)
        else { return nil }
        guard let retireTime = content.retireTime else {
            guard number > 1, let secret = content.secret.flatMap({ Base64URL.decode($0) }),
                secret.count == SigningKey.secretBytes
            else { return nil }
            return SigningKey(number: number, secret: secret, createdMicroseconds: created.microseconds)
        }
        let hashKey = content.installationHashKey.flatMap { Base64URL.decode($0) } ?? []
        guard let retired = Timestamp(rfc3339: retireTime), number > 1 || !hashKey.isEmpty else { return nil }
        return SigningKey(
            number: number, secret: [], installationHashKey: hashKey, createdMicroseconds: created.microseconds,
            retiredMicroseconds: retired.microseconds)
    }

    private func write(_ key: SigningKey) throws {
        if key.number == 1, !key.isRetired { return try write(key.secret, number: 1) }
        func text(_ time: Int64) -> String { Timestamp(microseconds: time).rfc3339(fractionDigits: 6) }
        func text(_ bytes: [UInt8]) -> String? { bytes.isEmpty ? nil : Base64URL.encode(bytes) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let content = Content(
            createTime: text(key.createdMicroseconds), retireTime: key.retiredMicroseconds.map { text($0) },
            secret: text(key.secret), installationHashKey: text(key.installationHashKey))
        try write(Array(try encoder.encode(content)) + [UInt8(ascii: "\n")], number: key.number)
    }

    private func write(_ bytes: [UInt8], number: Int) throws(FileError) {
        try AtomicFile.write(bytes, to: path(number), mode: 0o600, files: files)
    }
}

import Foundation
import HearthCrypto
import HearthFiles
import HearthWire

/// Records unfinished uploads for the program's next run: one small file each, for its user only.
struct UploadRecords {
    /// An unfinished upload.
    struct Record: Codable, Equatable {
        /// The path of the session, below the server's base address.
        var path: String
    }

    let folder: String

    /// `$XDG_CACHE_HOME/hearth/uploads`, else `~/.cache/hearth/uploads`; nil if there is no such folder.
    static func standardFolder(_ environment: [String: String]) -> String? {
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") {
            return FilePath.join(cache, "hearth/uploads")
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return FilePath.join(home, ".cache/hearth/uploads")
    }

    /// The key of an upload: the bytes, the project, the server and the name.
    static func key(url: String, project: String, name: String, sha256: String) -> String {
        SHA256Hasher.hash(Array([url, project, name, sha256].joined(separator: "\n").utf8)).hex
    }

    /// Also nil for a damaged record, because records are only a convenience.
    func record(_ key: String) -> Record? {
        guard let bytes = try? DiskFiles().read(file(key), limitBytes: 65_536) else { return nil }
        return try? WireJSON.decode(Record.self, from: bytes)
    }

    func save(_ record: Record, _ key: String) throws {
        try DiskFiles().makeFolder(folder, mode: 0o700)
        removeExpired()
        try AtomicFile.write(try WireJSON.encode(record), to: file(key))
    }

    func remove(_ key: String) { try? DiskFiles().remove(file(key)) }

    /// Servers delete unfinished uploads earlier.
    private static let longestSeconds: TimeInterval = 30 * 86_400

    private func removeExpired() {
        for name in (try? DiskFiles().list(folder)) ?? [] {
            let path = FilePath.join(folder, name)
            let changed = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            guard let changed, Date().timeIntervalSince(changed) > Self.longestSeconds else { continue }
            try? DiskFiles().remove(path)
        }
    }

    private func file(_ key: String) -> String { FilePath.join(folder, key + ".json") }
}

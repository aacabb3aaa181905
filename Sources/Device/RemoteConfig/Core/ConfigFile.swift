import HearthApp
import HearthCrypto
import HearthFiles
import HearthWire

/// The file of an app's ``ConfigRecord``: the SHA-256 of the JSON in hex, a line break, and the record as JSON. Blocks.
struct ConfigFile: Sendable {
    static let name = "remote-config"
    static let limitBytes = 64 << 20

    let folder: String
    let files: any FileOperations

    var path: String { FilePath.join(folder, Self.name) }

    /// Reads the record; nil when the file is missing or damaged. The log reports a damaged file. Also removes
    /// temporary files of writers that were interrupted.
    func load() -> ConfigRecord? {
        try? AtomicFile.sweepAbandoned(in: folder, files: files)
        do throws(FileError) {
            guard try files.size(path) != nil else { return nil }
            if let record = Self.record(try files.read(path, limitBytes: Self.limitBytes)) { return record }
            AppLog.core.error(
                "I-RCN000010",
                "The stored Remote Config values are corrupted and are ignored until the next fetch. \(path)")
        } catch {
            AppLog.core.error("I-RCN000010", "The stored Remote Config values cannot be read: \(error.message)")
        }
        return nil
    }

    /// Replaces the file in one step. The change is on the disk when this returns.
    func save(_ record: ConfigRecord) throws(FileError) {
        guard let json = try? WireJSON.encode(record), json.count < Self.limitBytes - Self.headBytes else {
            throw FileError(.tooLarge, "The Remote Config values are too large to be stored in \(path)")
        }
        try files.makeFolder(folder, mode: 0o700)
        let bytes = Array(SHA256Hasher.hash(json).hex.utf8) + [Self.lineBreak] + json
        try AtomicFile.write(bytes, to: path, files: files)
    }

    private static let lineBreak = UInt8(ascii: "\n")
    private static let headBytes = 2 * SHA256Digest.byteCount + 1

    private static func record(_ bytes: [UInt8]) -> ConfigRecord? {
        guard bytes.count > headBytes, bytes[headBytes - 1] == lineBreak else { return nil }
        let json = Array(bytes[headBytes...])
        guard SHA256Hasher.hash(json).hex.utf8.elementsEqual(bytes[..<(headBytes - 1)]) else { return nil }
        return try? WireJSON.decode(ConfigRecord.self, from: json)
    }
}

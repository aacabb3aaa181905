import HearthApp
import HearthCrypto
import HearthFiles
import HearthWire

/// The state that is stored between processes. Times are in microseconds since 1970.
struct ConfigRecord: Codable, Sendable, Equatable {
    /// The last snapshot that came from the server.
    var fetched: ConfigSnapshot?
    /// The snapshot that the app sees.
    var active: ConfigSnapshot?
    /// How often the visible values changed on this device.
    var activationCount: Int?
    var lastFetchMicroseconds: Int64?
    /// A raw value of ``RemoteConfigFetchStatus``.
    var lastFetchStatus: Int?
    var pause = FetchBackoff()
    var signals: [String: StoredSignal] = [:]
    /// When this app first ran on this device.
    var firstOpenMicroseconds: Int64?

    var status: RemoteConfigFetchStatus { lastFetchStatus.flatMap(RemoteConfigFetchStatus.init) ?? .noFetchYet }
}

/// The values as the server sent them.
struct ConfigSnapshot: Codable, Sendable, Equatable {
    var entries: [String: String] = [:]
    /// The answer's ETag; nil when the server sent none that a request can contain.
    var etag: String?
    var templateVersion = "0"
    /// The experiments in which this installation takes part.
    var experiments: [RemoteConfigExperiment] = []
    var rollouts: [RemoteConfigFetchResponse.RolloutMetadata] = []

    /// Whether activating this snapshot instead of `active` changes anything; compares the ETags if there are any.
    func isNew(comparedTo active: ConfigSnapshot?) -> Bool {
        guard let active else { return true }
        return etag != active.etag || (etag == nil && entries != active.entries)
    }

    /// The keys whose values differ between the two snapshots, and the keys of each experiment or variant that only one
    /// of them has. When an experiment begins, the values of its control stay the same, but their use must begin at the
    /// same time as that of the other variants.
    func changedKeys(from active: ConfigSnapshot?) -> Set<String> {
        let old = active?.entries ?? [:]
        let keys = Set(entries.keys).union(old.keys).filter { entries[$0] != old[$0] }
        let (own, others) = (experimentKeys, active?.experimentKeys ?? [:])
        return Set(own.keys).symmetricDifference(others.keys).reduce(into: keys) { keys, variant in
            keys.formUnion(own[variant] ?? others[variant] ?? [])
        }
    }

    /// The keys that each experiment varies, by experiment, variant and start: a new experiment may have the name of an
    /// earlier one.
    private var experimentKeys: [[String]: [String]] {
        experiments.reduce(into: [:]) { keys, experiment in
            let own = [experiment.experimentId, experiment.variantId, experiment.experimentStartTime]
            keys[own, default: []] += experiment.affectedParameterKeys ?? []
        }
    }

    /// The template's version as a number; 0 when it is malformed.
    var version: Int64 { Int64(templateVersion) ?? 0 }
}

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

import HearthApp
import HearthCrypto
import HearthFiles
import HearthWire

/// What outlives the process. Times are in microseconds since 1970.
struct ConfigRecord: Codable, Sendable, Equatable {
    /// The last that came from the server.
    var fetched: ConfigSnapshot?
    /// The one that the app sees.
    var active: ConfigSnapshot?
    /// How often other values became visible on this device.
    var activationCount: Int?
    var lastFetchMicroseconds: Int64?
    /// A raw value of ``RemoteConfigFetchStatus``.
    var lastFetchStatus: Int?
    var pause = FetchBackoff()
    var signals: [String: StoredSignal] = [:]
    /// When this app was first seen on this device.
    var firstOpenMicroseconds: Int64?

    var status: RemoteConfigFetchStatus { lastFetchStatus.flatMap(RemoteConfigFetchStatus.init) ?? .noFetchYet }
}

/// A configuration as the server sent it.
struct ConfigSnapshot: Codable, Sendable, Equatable {
    var entries: [String: String] = [:]
    /// As it came; nil when the server sent none that can be sent back.
    var etag: String?
    var templateVersion = "0"
    /// The experiments that this installation takes part in.
    var experiments: [RemoteConfigExperiment] = []
    var rollouts: [RemoteConfigFetchResponse.RolloutMetadata] = []

    /// Whether activating this one instead of `active` changes anything: by the server's tag where there is one.
    func isNew(comparedTo active: ConfigSnapshot?) -> Bool {
        guard let active else { return true }
        return etag != active.etag || (etag == nil && entries != active.entries)
    }

    /// The keys whose values differ, or that only one of the two has, and the keys of each experiment or variant that only one
    /// of the two has: where an experiment begins, its control's values stay the same, and its use has to begin at the same
    /// time as its other variants'.
    func changedKeys(from active: ConfigSnapshot?) -> Set<String> {
        let old = active?.entries ?? [:]
        let keys = Set(entries.keys).union(old.keys).filter { entries[$0] != old[$0] }
        let (own, others) = (experimentKeys, active?.experimentKeys ?? [:])
        return Set(own.keys).symmetricDifference(others.keys).reduce(into: keys) { keys, variant in
            keys.formUnion(own[variant] ?? others[variant] ?? [])
        }
    }

    /// The keys that an experiment varies, by experiment, variant and start: another experiment may have the name of one that
    /// is gone.
    private var experimentKeys: [[String]: [String]] {
        experiments.reduce(into: [:]) { keys, experiment in
            let own = [experiment.experimentId, experiment.variantId, experiment.experimentStartTime]
            keys[own, default: []] += experiment.affectedParameterKeys ?? []
        }
    }

    /// The template's version as a number; 0 when it is none.
    var version: Int64 { Int64(templateVersion) ?? 0 }
}

/// Where an app keeps its ``ConfigRecord``: the SHA-256 of the rest in hex, a line break, and the record as JSON. Blocks.
struct ConfigFile: Sendable {
    static let name = "remote-config"
    static let limitBytes = 64 << 20

    let folder: String
    let files: any FileOperations

    var path: String { FilePath.join(folder, Self.name) }

    /// Nil when there is none. One that is damaged counts as none, which the log tells. Also removes what writers left that did
    /// not come to their end.
    func load() -> ConfigRecord? {
        try? AtomicFile.sweepAbandoned(in: folder, files: files)
        do throws(FileError) {
            guard try files.size(path) != nil else { return nil }
            if let record = Self.record(try files.read(path, limitBytes: Self.limitBytes)) { return record }
            AppLog.core.error(
                "I-RCN000010", "The stored configuration is corrupted and is ignored until the next fetch. \(path)")
        } catch {
            AppLog.core.error("I-RCN000010", "The stored configuration cannot be read: \(error.message)")
        }
        return nil
    }

    /// In one step, and on the disk when it returns.
    func save(_ record: ConfigRecord) throws(FileError) {
        guard let json = try? WireJSON.encode(record), json.count < Self.limitBytes - Self.headBytes else {
            throw FileError(.tooLarge, "The configuration is too large to be kept in \(path)")
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

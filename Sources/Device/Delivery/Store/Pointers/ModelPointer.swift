import HearthCrypto
import HearthFiles

/// Which version of a model this device has. A small file that is always replaced as a whole.
struct ModelPointer: Codable, Sendable, Equatable {
    var name: String
    /// The installed version; nil when no version is installed, but one was rejected.
    var current: StoredVersion?
    /// The version before the installed one, for a rollback. An app may still use its path.
    var previous: StoredVersion?
    /// Versions that did not work here, oldest first.
    var rejected: [RejectedVersion] = []
    /// In format 1 only, which did not store the previous version's length.
    private(set) var previousHash: String?

    static let rejectedLimit = 8

    init(name: String, current: StoredVersion? = nil) {
        self.name = name
        self.current = current
    }

    var isFormat1: Bool { previousHash != nil }

    /// This pointer in format 2. `size` returns the length of a stored file.
    func upgraded(size: (SHA256Digest) throws(FileError) -> UInt64?) throws(FileError) -> ModelPointer {
        guard let previousHash else { return self }
        var new = self
        new.previousHash = nil
        if new.previous == nil, let digest = SHA256Digest(hex: previousHash), let size = try size(digest) {
            new.previous = StoredVersion(hash: digest.hex, size: size)
        }
        return new
    }

    /// Rejects a version. If it is the installed one, the version before it is installed again.
    mutating func reject(_ version: RejectedVersion) {
        if current?.digest?.hex == version.hash {
            current = previous
            previous = nil
        } else if previous?.digest?.hex == version.hash {
            previous = nil
        }
        rejected.removeAll { $0.hash == version.hash }
        rejected = Array((rejected + [version]).suffix(Self.rejectedLimit))
    }

    /// The installed version's fields are at the top level, as in format 1.
    private enum CodingKeys: CodingKey {
        case name, hash, size, version, previous, previousHash, aside
    }

    /// Ignores fields that are not readable, except the name: a damaged detail must not cost the model.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        current = try? StoredVersion(from: decoder)
        previous = try? container.decode(StoredVersion.self, forKey: .previous)
        previousHash = try? container.decode(String.self, forKey: .previousHash)
        rejected = (try? container.decode([RejectedVersion].self, forKey: .aside)) ?? []
    }

    func encode(to encoder: any Encoder) throws {
        try current?.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(previous, forKey: .previous)
        try container.encodeIfPresent(previousHash, forKey: .previousHash)
        if !rejected.isEmpty { try container.encode(rejected, forKey: .aside) }
    }
}

/// One version's bytes.
struct StoredVersion: Codable, Sendable, Equatable {
    /// Lower-case hex SHA-256; the file's name in the store.
    var hash: String
    /// In bytes.
    var size: UInt64
    /// The server's version number, if the server sent one.
    var version: Int?
    /// The experiments for which the server chose this version, by its last answer; empty for a version that is not
    /// installed.
    var experiments: [ModelExperiment] = []

    var digest: SHA256Digest? { SHA256Digest(hex: hash) }

    /// This version after another one has replaced it.
    var replaced: StoredVersion { StoredVersion(hash: hash, size: size, version: version) }
}

extension StoredVersion {
    private enum CodingKeys: CodingKey {
        case hash, size, version, experiments
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        hash = try container.decode(String.self, forKey: .hash)
        size = try container.decode(UInt64.self, forKey: .size)
        version = try container.decodeIfPresent(Int.self, forKey: .version)
        experiments = (try? container.decode([ModelExperiment].self, forKey: .experiments)) ?? []
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(hash, forKey: .hash)
        try container.encode(size, forKey: .size)
        try container.encodeIfPresent(version, forKey: .version)
        if !experiments.isEmpty { try container.encode(experiments, forKey: .experiments) }
    }
}

/// A version that did not work here and must not be downloaded again.
struct RejectedVersion: Codable, Sendable, Equatable {
    var hash: String
    var reason: String
    /// The version of this library that could not use it; another one may.
    var libraryVersion: String

    private static let reasonLimitBytes = 500

    init(hash: String, reason: String, libraryVersion: String) {
        self.hash = hash
        self.reason = String(decoding: reason.utf8.prefix(Self.reasonLimitBytes), as: UTF8.self)
        self.libraryVersion = libraryVersion
    }
}

import HearthConcurrency
import HearthCrypto
import HearthFiles

/// What the last lookup of each model in a store found. While the files' stamps stay the same, another lookup would
/// find the same, so an app that asks with every image does not open the store each time. Use it from any thread.
final class ModelLookupCache: Sendable {
    /// What decides which model a lookup finds. Make it before the lookup.
    struct Key: Equatable, Sendable {
        fileprivate let format: FileStamp
        fileprivate let record: FileStamp
        fileprivate let rejectionGeneration: Int

        /// nil when the store or the model's record is missing, or changed so recently that the next change might leave
        /// its stamp the same.
        init?(of name: String, storeFolder: String) {
            rejectionGeneration = UnwrittenRejections.shared.generation
            guard let format = FileStamp(path: StoreFormat.path(in: storeFolder)),
                let record = FileStamp(path: PointerFolder.recordPath(of: name, storeFolder: storeFolder)),
                format.isSettled(), record.isSettled()
            else { return nil }
            self.format = format
            self.record = record
        }
    }

    private struct Entry {
        let evidence: Key
        let model: CustomModel
        let digest: SHA256Digest
    }

    private let entries = Lock<[String: Entry]>([:])

    /// The installed model; nil when only a lookup in the store can find it.
    func model(_ name: String, _ evidence: Key) -> CustomModel? {
        guard let entry = entries.withLock({ $0[name] }), entry.evidence == evidence,
            let stamp = FileStamp(path: entry.model.path), VerifiedFiles.shared.isKnown(stamp, entry.digest)
        else { return nil }
        return entry.model
    }

    /// Remembers the result of a lookup.
    func remember(_ model: CustomModel, _ evidence: Key) {
        guard let digest = SHA256Digest(hex: model.hash) else { return }
        entries.withLock { $0[model.name] = Entry(evidence: evidence, model: model, digest: digest) }
    }
}

/// The hashes of the files that this process has read since they last changed, right or wrong. Use it from any thread.
final class VerifiedFiles: Sendable {
    static let shared = VerifiedFiles()

    private static let limit = 1024
    private let known = Lock<[FileStamp: SHA256Digest]>([:])

    /// Whether the leased file has this hash and size. Reads the file unless its hash is known.
    func isWhole(_ lease: FileLease, _ digest: SHA256Digest, size: UInt64) throws(FileError) -> Bool {
        guard let stamp = lease.stamp, stamp.size == size else { return false }
        if let hash = known.withLock({ $0[stamp] }) { return hash == digest }
        // Checked before the read: a change during or after the read must show in the stamp.
        let isSettled = stamp.isSettled()
        guard let hash = try hash(lease) else { return false }
        // A damaged file's hash is remembered too: an app that asks with every image must not read the file every time.
        if isSettled { remember(hash, stamp) }
        return hash == digest
    }

    /// Whether a file with this stamp was read and has this hash.
    func isKnown(_ stamp: FileStamp, _ digest: SHA256Digest) -> Bool { known.withLock { $0[stamp] == digest } }

    /// How many files are known.
    var count: Int { known.withLock(\.count) }

    /// nil when the disk cannot read the file back, which counts as damage too.
    private func hash(_ lease: FileLease) throws(FileError) -> SHA256Digest? {
        do throws(FileError) {
            return try lease.sha256()
        } catch let error where error.code == .io {
            return nil
        }
    }

    private func remember(_ digest: SHA256Digest, _ stamp: FileStamp) {
        known.withLock { known in
            // A program that sees this many files can afford to read some of them again.
            if known.count >= Self.limit { known.removeAll() }
            known[stamp] = digest
        }
    }
}

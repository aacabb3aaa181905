import HearthCrypto
import HearthFiles
import Synchronization

/// What the last look at each model of a store found. While the files' stamps stay the same, another look would find the
/// same: whoever asks with every picture need not open the store each time. Use it from any thread.
final class FoundModels: Sendable {
    /// What decides which model a look finds, taken before the look.
    struct Evidence: Equatable, Sendable {
        fileprivate let format: FileStamp
        fileprivate let record: FileStamp
        fileprivate let asideGeneration: Int

        /// nil when the store or the model's record is not there, or changed so recently that the next change may not show.
        init?(of name: String, storeFolder: String) {
            asideGeneration = UnwrittenAsides.shared.generation
            guard let format = FileStamp(path: StoreFormat.path(in: storeFolder)),
                let record = FileStamp(path: PointerFolder.recordPath(of: name, storeFolder: storeFolder)),
                format.isSettled(), record.isSettled()
            else { return nil }
            self.format = format
            self.record = record
        }
    }

    private struct Entry {
        let evidence: Evidence
        let model: CustomModel
        let digest: SHA256Digest
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// The installed model; nil when only a look at the store can tell.
    func model(_ name: String, _ evidence: Evidence) -> CustomModel? {
        guard let entry = entries.withLock({ $0[name] }), entry.evidence == evidence,
            let stamp = FileStamp(path: entry.model.path), VerifiedFiles.shared.isKnown(stamp, entry.digest)
        else { return nil }
        return entry.model
    }

    func remember(_ model: CustomModel, _ evidence: Evidence) {
        guard let digest = SHA256Digest(hex: model.hash) else { return }
        entries.withLock { $0[model.name] = Entry(evidence: evidence, model: model, digest: digest) }
    }
}

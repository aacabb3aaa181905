import HearthCrypto
import HearthFiles
import Synchronization

/// Which files this process has hashed since they last changed. Use it from any thread.
final class VerifiedFiles: Sendable {
    static let shared = VerifiedFiles()

    private static let limit = 1024
    private let known = Mutex<[FileStamp: SHA256Digest]>([:])

    /// Whether the leased file is what it should be; reads it unless that is known.
    func isWhole(_ lease: FileLease, _ digest: SHA256Digest, size: UInt64) throws(FileError) -> Bool {
        guard let stamp = lease.stamp, stamp.size == size else { return false }
        if known.withLock({ $0[stamp] == digest }) { return true }
        // Asked before reading: a change while or after the file is read must show in the stamp.
        let isSettled = stamp.isSettled()
        guard try hash(lease) == digest else { return false }
        if isSettled { remember(digest, stamp) }
        return true
    }

    /// How many files are known.
    var count: Int { known.withLock(\.count) }

    /// nil when the disk cannot read the file back: that is damage, too.
    private func hash(_ lease: FileLease) throws(FileError) -> SHA256Digest? {
        do throws(FileError) {
            return try lease.sha256()
        } catch let error where error.code == .io {
            return nil
        }
    }

    private func remember(_ digest: SHA256Digest, _ stamp: FileStamp) {
        known.withLock { known in
            // A program that sees so many files in its life can afford to read some of them again.
            if known.count >= Self.limit { known.removeAll() }
            known[stamp] = digest
        }
    }
}

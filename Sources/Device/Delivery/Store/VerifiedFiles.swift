import HearthCrypto
import HearthFiles
import Synchronization

/// The hashes of files that this process has read since they last changed, right or wrong. Use it from any thread.
final class VerifiedFiles: Sendable {
    static let shared = VerifiedFiles()

    private static let limit = 1024
    private let known = Mutex<[FileStamp: SHA256Digest]>([:])

    /// Whether the leased file is what it should be; reads it unless that is known.
    func isWhole(_ lease: FileLease, _ digest: SHA256Digest, size: UInt64) throws(FileError) -> Bool {
        guard let stamp = lease.stamp, stamp.size == size else { return false }
        if let hash = known.withLock({ $0[stamp] }) { return hash == digest }
        // Asked before reading: a change while or after the file is read must show in the stamp.
        let isSettled = stamp.isSettled()
        guard let hash = try hash(lease) else { return false }
        // Of a damaged one as well: who asks with every picture must not read it every time.
        if isSettled { remember(hash, stamp) }
        return hash == digest
    }

    /// Whether a file of this stamp was read and is what it should be.
    func isKnown(_ stamp: FileStamp, _ digest: SHA256Digest) -> Bool { known.withLock { $0[stamp] == digest } }

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

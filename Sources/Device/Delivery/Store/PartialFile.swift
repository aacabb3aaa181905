import HearthCrypto
import HearthFiles

/// A model on its way into the store, hashed while it is written, invisible until it is installed.
///
/// Released without that, its bytes stay for the next try, also of another process. One owner, one thread at a time.
final class PartialFile {
    let digest: SHA256Digest
    /// How many bytes it will have.
    let expectedSize: UInt64
    /// How many bytes were there from an earlier try: if the hash comes out wrong, they may be to blame, and starting
    /// from zero may help.
    private(set) var resumedSize: UInt64 = 0
    /// How many bytes are there: where to resume.
    private(set) var size: UInt64 = 0
    /// Where the bytes lie until they are installed. For a reader that tries them first.
    let path: String

    private var file: (any WritableFile)?
    /// nil after a failed write, when nobody knows which bytes are there.
    private var hasher: SHA256Hasher? = SHA256Hasher()
    private var isVerified = false
    /// nil for a private file, which no later try can find.
    private var record: PartialRecord?
    private let folder: PartialFolder

    init(
        _ file: any WritableFile, path: String, digest: SHA256Digest, size: UInt64, record: PartialRecord?,
        folder: PartialFolder
    ) {
        self.file = file
        self.path = path
        self.digest = digest
        expectedSize = size
        self.record = record
        self.folder = folder
    }

    deinit {
        guard let file, file.isInPlace else { return }
        // What no later try will resume need not stay.
        let isEmpty = (try? folder.files.size(path)) == 0
        if record == nil || isEmpty { remove() }
    }

    /// The ETag of the answer that the bytes came from; nil when there are none or it is not known.
    var validator: String? { size == 0 ? nil : record?.validator }

    /// Forgets all bytes. Those that follow come from an answer with the ETag `validator`.
    func restart(validator: String?) throws(FileError) {
        guard let file else { throw isOver() }
        isVerified = false
        hasher = nil
        try file.truncate()
        // Before the record tells of another answer: a power loss must not bring the old bytes back under it.
        if size > 0 { try file.synchronize() }
        (size, resumedSize) = (0, 0)
        hasher = SHA256Hasher()
        let validator = PartialRecord.usable(validator)
        guard var record, record.validator != validator else { return }
        record.validator = validator
        try folder.write(record, of: digest)
        self.record = record
    }

    /// Appends bytes; `.tooLarge` past the announced size: nothing of the chunk is written then.
    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        guard let file, hasher != nil, !isVerified else { throw isOver() }
        guard UInt64(bytes.count) <= expectedSize - size else {
            throw FileError(.tooLarge, "The file is larger than the \(expectedSize) bytes that were announced")
        }
        do throws(FileError) {
            try file.write(bytes)
        } catch {
            hasher = nil
            throw error
        }
        hasher?.update(bytes)
        size += UInt64(bytes.count)
    }

    /// Checks length and hash and brings the bytes to the disk. Takes no more bytes afterwards.
    ///
    /// - Throws: `.mismatch`, or why the disk did not take them; the bytes are deleted then.
    func verify() throws(FileError) {
        guard !isVerified else { return }
        guard let file, let hasher else { throw isOver() }
        guard size == expectedSize else {
            discard()
            throw FileError(.mismatch, "The file has \(size) bytes, but \(expectedSize) were announced")
        }
        let found = hasher.finalize()
        guard found == digest else {
            discard()
            throw FileError(.mismatch, "The file's SHA-256 is \(found.hex), but \(digest.hex) was announced")
        }
        do throws(FileError) {
            try file.synchronize()
        } catch {
            // The kernel may have dropped the bytes, and would not say so again: no later try may trust them.
            discard()
            throw error
        }
        isVerified = true
    }

    /// Deletes the bytes: the next try starts from zero.
    func discard() {
        guard let file = file.take(), file.isInPlace else { return }
        remove()
        withExtendedLifetime(file) {}
    }

    /// Gives the verified file its name in the store. Under the store's lock.
    func move(to target: String) throws(FileError) {
        guard isVerified, let isInPlace = file?.isInPlace else { throw isOver() }
        guard isInPlace else {
            self.file = nil
            throw FileError(.notFound, "The unfinished file \(path) was removed while it was written: fetch it again")
        }
        try folder.files.rename(path, to: target)
        // Closed: its lock would keep readers waiting.
        self.file = nil
        try folder.files.synchronizeFolder(folder.folder)
        if record != nil { folder.removeRecord(of: digest) }
    }

    /// Makes the bytes findable for the next try. Under the store's lock.
    func writeRecord() throws(FileError) {
        if let record { try folder.write(record, of: digest) }
    }

    /// Takes in what an earlier try left: the slow part of beginning.
    func resume(_ bytes: UInt64) throws(FileError) {
        guard bytes > 0 else { return }
        let (hasher, count) = try FileDigest.hasher(path)
        guard count <= expectedSize else { return try restart(validator: nil) }
        self.hasher = hasher
        (size, resumedSize) = (count, count)
    }

    private func remove() {
        // The record first: bytes without a record are swept, a record without bytes would describe the next ones.
        if record != nil { folder.removeRecord(of: digest) }
        try? folder.files.remove(path)
    }

    private func isOver() -> FileError {
        FileError(.io, "Cannot write \(path): the file was already installed or deleted, or an earlier write failed")
    }
}

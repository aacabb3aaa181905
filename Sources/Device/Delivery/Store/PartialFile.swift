import HearthCrypto
import HearthFiles

/// A model on its way into the store. It is hashed while it is written, and invisible until it is installed.
///
/// If it is released before the installation, its bytes stay for the next attempt, which may be in another process. One
/// owner, one thread at a time.
final class PartialFile {
    let digest: SHA256Digest
    /// How many bytes the complete file has.
    let expectedSize: UInt64
    /// How many bytes an earlier attempt left. If the hash turns out wrong, these bytes may be the cause, and a start
    /// from zero may help.
    private(set) var resumedSize: UInt64 = 0
    /// How many bytes have arrived; a download resumes after them.
    private(set) var size: UInt64 = 0
    /// The file with the bytes until they are installed. The load check reads it.
    let path: String

    private var file: (any WritableFile)?
    /// nil after a failed write, because the bytes in the file are unknown then.
    private var hasher: SHA256Hasher? = SHA256Hasher()
    private var isVerified = false
    /// nil for a private file, which no later attempt can find.
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
        // A file that no later attempt will resume need not stay.
        let isEmpty = (try? folder.files.size(path)) == 0
        if record == nil || isEmpty { remove() }
    }

    /// The ETag of the answer that contained the bytes; nil when the file is empty or the ETag is unknown.
    var validator: String? { size == 0 ? nil : record?.validator }

    /// Deletes all bytes. The following ones come from an answer with the ETag `validator`.
    func restart(validator: String?) throws(FileError) {
        guard let file else { throw isOver() }
        isVerified = false
        hasher = nil
        try file.truncate()
        // Before the record names another answer: otherwise a power loss could bring the old bytes back under the new
        // ETag.
        if size > 0 { try file.synchronize() }
        (size, resumedSize) = (0, 0)
        hasher = SHA256Hasher()
        let validator = PartialRecord.usable(validator)
        guard var record, record.validator != validator else { return }
        record.validator = validator
        try folder.write(record, of: digest)
        self.record = record
    }

    /// Appends bytes. Throws `.tooLarge` past the announced size, and then writes nothing of the chunk.
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

    /// Checks length and hash and writes the bytes to the disk. The file takes no more bytes afterwards.
    ///
    /// - Throws: `.mismatch`, or the disk's error; the bytes are deleted in both cases.
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
            // The kernel may have dropped the bytes and would not report that again: no later attempt may trust them.
            discard()
            throw error
        }
        isVerified = true
    }

    /// Deletes the bytes: the next attempt starts from zero.
    func discard() {
        guard let file = file.take(), file.isInPlace else { return }
        remove()
        withExtendedLifetime(file) {}
    }

    /// Gives the verified file its name in the store. Hold the store's lock.
    func move(to target: String) throws(FileError) {
        guard isVerified, let isInPlace = file?.isInPlace else { throw isOver() }
        guard isInPlace else {
            self.file = nil
            throw FileError(
                .notFound, "The unfinished file \(path) was removed while it was written: download the model again")
        }
        try folder.files.rename(path, to: target)
        // Closes the file: its lock would keep readers waiting.
        self.file = nil
        try folder.files.synchronizeFolder(folder.folder)
        if record != nil { folder.removeRecord(of: digest) }
    }

    /// Writes the record by which the next attempt finds the bytes. Hold the store's lock.
    func writeRecord() throws(FileError) {
        if let record { try folder.write(record, of: digest) }
    }

    /// Hashes what an earlier attempt left: the slow part of the start.
    func resume(_ bytes: UInt64) throws(FileError) {
        guard bytes > 0 else { return }
        let (hasher, count) = try FileDigest.hasher(path)
        guard count <= expectedSize else { return try restart(validator: nil) }
        self.hasher = hasher
        (size, resumedSize) = (count, count)
    }

    private func remove() {
        // The record first: the garbage collection deletes bytes without a record, but a record without bytes would
        // describe the next ones.
        if record != nil { folder.removeRecord(of: digest) }
        try? folder.files.remove(path)
    }

    private func isOver() -> FileError {
        FileError(.io, "Cannot write \(path): the file was already installed or deleted, or an earlier write failed")
    }
}

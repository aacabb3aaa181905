import Foundation
import HearthCrypto
import HearthFiles
import HearthWire

/// The unfinished downloads among the store's files: `partial-<hash>` with a record next to it.
struct PartialFolder: Sendable {
    let folder: String
    let files: any FileOperations

    private static let prefix = "partial-"
    private static let recordSuffix = ".json"
    private static let recordLimitBytes = 16_384

    func path(of digest: SHA256Digest) -> String { FilePath.join(folder, Self.prefix + digest.hex) }

    /// Opens the file for its only writer.
    ///
    /// - Returns: The file, and how many of its bytes are worth hashing again; nil while another writer has the file,
    ///   or when something else is in its place.
    func claim(
        _ digest: SHA256Digest, record: PartialRecord
    ) throws(FileError) -> (file: PartialFile, bytes: UInt64)? {
        let path = path(of: digest)
        let opened = try open(path)
        guard let opened else { return nil }
        let old = try self.record(of: digest)
        var bytes = try files.size(path) ?? 0
        if bytes > 0, old?.size != record.size || bytes > record.size {
            try opened.truncate()
            bytes = 0
        }
        var record = record
        record.validator = bytes > 0 ? PartialRecord.usable(old?.validator) : nil
        let file = PartialFile(
            opened, path: path, digest: digest, size: record.size, record: record, folder: self)
        return (file, bytes)
    }

    /// A file that only the caller knows. It is deleted after the caller's process has ended.
    func createUnnamed(_ digest: SHA256Digest, size: UInt64) throws(FileError) -> PartialFile {
        let name = ContentStore.incomingPrefix + String(UInt64.random(in: 0 ... .max), radix: 36)
        let path = FilePath.join(folder, name)
        let file = try files.createFile(path, mode: 0o600)
        return PartialFile(file, path: path, digest: digest, size: size, record: nil, folder: self)
    }

    private func open(_ path: String) throws(FileError) -> (any WritableFile)? {
        do throws(FileError) {
            return try files.appendFile(path, mode: 0o600)
        } catch let error where error.code == .exists || error.code == .io {
            // A link, a folder or a pipe, which does not belong to the store.
            return nil
        }
    }

    /// Every unfinished download, with its record where that is readable.
    func all() throws(FileError) -> [(digest: SHA256Digest, record: PartialRecord?)] {
        let names = try files.list(folder).filter { $0.hasPrefix(Self.prefix) }
        let digests = Set(names.compactMap { name in SHA256Digest(hex: Self.hex(name)) })
        var partials: [(digest: SHA256Digest, record: PartialRecord?)] = []
        for digest in digests.sorted(by: { $0.hex < $1.hex }) {
            partials.append((digest, try record(of: digest)))
        }
        return partials
    }

    private static func hex(_ name: String) -> String {
        let stem = name.dropFirst(prefix.count)
        return String(stem.hasSuffix(recordSuffix) ? stem.dropLast(recordSuffix.count) : stem)
    }

    /// How many bytes an unfinished download has now, and how many it may have later while a process writes it.
    func size(of digest: SHA256Digest, record: PartialRecord?) throws(FileError) -> (now: UInt64, later: UInt64) {
        let now = try files.size(path(of: digest)) ?? 0
        guard let record, record.size > now, FileLease.isInUse(path(of: digest)) else { return (now, now) }
        return (now, record.size)
    }

    /// Deletes an unfinished download unless a process writes it. Hold the store's lock.
    ///
    /// - Returns: Whether it deleted the file.
    @discardableResult
    func drop(_ digest: SHA256Digest) throws(FileError) -> Bool {
        let isRemoved = try FileLease.removeIfUnused(path(of: digest), files: files)
        let isGone = try files.size(path(of: digest)) == nil
        if isGone { removeRecord(of: digest) }
        return isRemoved
    }

    /// Deletes the unfinished downloads of a model, except that of `digest`. Hold the store's lock.
    func dropAll(of name: String, but digest: SHA256Digest? = nil) throws(FileError) {
        for partial in try all() where partial.digest != digest && partial.record?.name == name {
            try drop(partial.digest)
        }
    }

    private func record(of digest: SHA256Digest) throws(FileError) -> PartialRecord? {
        let path = recordPath(of: digest)
        guard try files.size(path) != nil else { return nil }
        do throws(FileError) {
            let bytes = try files.read(path, limitBytes: Self.recordLimitBytes)
            return try? JSONDecoder().decode(PartialRecord.self, from: Data(bytes))
        } catch let error where error.code == .tooLarge || error.code == .notFound {
            return nil
        }
    }

    /// Writes the record of an unfinished download.
    func write(_ record: PartialRecord, of digest: SHA256Digest) throws(FileError) {
        guard let bytes = try? WireJSON.encode(record), bytes.count <= Self.recordLimitBytes else {
            throw FileError(.io, "Cannot write the record of an unfinished download: the model's name is too long")
        }
        try AtomicFile.write(bytes, to: recordPath(of: digest), files: files)
    }

    /// Removes the record. The garbage collection deletes one that cannot be removed now.
    func removeRecord(of digest: SHA256Digest) {
        try? files.remove(recordPath(of: digest))
    }

    private func recordPath(of digest: SHA256Digest) -> String { path(of: digest) + Self.recordSuffix }
}

import HearthConcurrency
import HearthCrypto
import HearthFiles
package import HearthStorage

/// Uploads in several requests, each of which may reach another server. `UploadSegment` says why that is safe.
extension S3BlobStore {
    package func resume(
        _ id: String, from size: UInt64, limitBytes: UInt64
    ) throws(StorageError) -> (any ResumedBlob)? {
        try Self.check(id)
        try client.contact.check(client.configuration)
        let confirmed = size == 0 ? [] : try segments(id).filter { $0.end <= size }
        if localSize(id) >= size {
            let known = min(size, agreed.withLock { $0[id] ?? 0 })
            guard UploadSegment.cover(known..<size, with: confirmed) != nil else { throw Self.missing(id) }
            guard let file = try open(id, from: size, limitBytes) else { return nil }
            if try agrees(file.path, with: confirmed.filter { $0.end > known }) {
                agreed.withLock { $0[id] = size }
                return ResumedS3Blob(file, id: id, store: self)
            }
        }
        guard let cover = UploadSegment.cover(0..<size, with: confirmed) else { throw Self.missing(id) }
        guard cache.reserve(size) else {
            throw StorageError(
                .noSpace,
                "The disk has no space for the \(size) bytes of the upload \(id) that arrived at another server")
        }
        defer { cache.release(size) }
        guard let file = try open(id, from: 0, limitBytes) else { return nil }
        try rebuild(file, id, from: cover)
        guard try agrees(file.path, with: confirmed.filter { !cover.contains($0) }) else {
            throw StorageError(
                .corrupt, "The upload \(id) contains two different files: begin a new upload, and send one file only.")
        }
        agreed.withLock { $0[id] = size }
        return ResumedS3Blob(file, id: id, store: self)
    }

    /// Whether the bytes that were confirmed are in a file here, of which little must be compared with the segments in the
    /// store.
    package func resumesAtOnce(_ id: String, from size: UInt64) -> Bool {
        let compared = min(size, agreed.withLock { $0[id] ?? 0 })
        return localSize(id) >= size && size - compared <= UploadSegment.longest
    }

    private func localSize(_ id: String) -> UInt64 {
        FileStamp(path: FilePath.join(files.folder, ContentStore.resumablePrefix + id))?.size ?? 0
    }

    package func resumableHere() throws(StorageError) -> [String] {
        try StorageError.wrapping { () throws(FileError) in try files.resumable() }
    }

    package func removeResumableHere(_ id: String) throws(StorageError) {
        try Self.check(id)
        agreed.withLock { _ = $0.removeValue(forKey: id) }
        try StorageError.wrapping { () throws(FileError) in try files.removeResumable(id) }
    }

    package func removeResumable(_ id: String) throws(StorageError) {
        try removeResumableHere(id)
        try removeSegments(id)
    }

    /// Includes those with a local file only, which nobody else could remove.
    package func resumable() throws(StorageError) -> [String] {
        Set(try resumableHere() + client.listFolders(Self.uploadFolder)).sorted()
    }

    func removeSegments(_ id: String) throws(StorageError) {
        // Other names as well: nothing else belongs there.
        try Parallel.forEach(try client.list("\(Self.uploadFolder)\(id)/")) { object throws(StorageError) in
            try self.client.delete(object.name)
        }
    }

    private func segments(_ id: String) throws(StorageError) -> [UploadSegment] {
        let folder = "\(Self.uploadFolder)\(id)/"
        return try client.list(folder).compactMap { UploadSegment(name: $0.name.dropFirst(folder.count)) }
    }

    private func open(_ id: String, from size: UInt64, _ limitBytes: UInt64) throws(StorageError) -> ResumedFile? {
        try StorageError.wrapping { () throws(FileError) in
            try files.resume(id, from: size, limitBytes: limitBytes)
        }
    }

    private func agrees(_ path: String, with segments: [UploadSegment]) throws(StorageError) -> Bool {
        for segment in segments {
            guard try FileRange.sha256(path, segment.range) == segment.sha256 else { return false }
        }
        return true
    }

    private func rebuild(_ file: ResumedFile, _ id: String, from cover: [UploadSegment]) throws(StorageError) {
        for segment in cover {
            var hasher = SHA256Hasher()
            // Of a segment that begins before the end of the last one, only the rest is new.
            var known = file.size - segment.offset
            // No more than the name says, whatever is there.
            let count = try client.get(Self.name(segment, of: id), range: 0..<segment.length) { bytes in
                hasher.update(bytes)
                let skip = min(known, UInt64(bytes.count))
                known -= skip
                try StorageError.wrapping { () throws(FileError) in
                    try file.write(UnsafeRawBufferPointer(rebasing: bytes[Int(skip)...]))
                }
            }
            guard count == segment.length, hasher.finalize() == segment.sha256 else {
                throw StorageError(.corrupt, "A stored piece of the upload \(id) is damaged: begin a new upload.")
            }
        }
        try StorageError.wrapping { () throws(FileError) in try file.synchronize() }
    }

    /// Accepts the ids that a local file may have, so that an id is no path.
    private static func check(_ id: String) throws(StorageError) {
        let isPlain = id.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
            default: false
            }
        }
        guard (1...128).contains(id.utf8.count), isPlain else {
            throw StorageError(.notFound, "The name '\(id)' is not allowed: use 1 to 128 letters, digits, - and _")
        }
    }

    private static func missing(_ id: String) -> StorageError {
        StorageError(.notFound, "Cannot resume the upload \(id): the bytes received before are gone")
    }

    private static let uploadFolder = "uploads/"

    static func name(_ segment: UploadSegment, of id: String) -> String { "\(uploadFolder)\(id)/\(segment.name)" }
}

/// A resumable upload during one request: a local file, and segments in the store.
private final class ResumedS3Blob: ResumedBlob {
    private let file: ResumedFile
    private let id: String
    private let store: S3BlobStore
    /// Complete segments that are not stored yet.
    private var waiting: [UploadSegment] = []
    /// The segment that grows.
    private var start: UInt64
    private var hasher = SHA256Hasher()
    private var isPublished = false

    init(_ file: ResumedFile, id: String, store: S3BlobStore) {
        (self.file, self.id, self.store) = (file, id, store)
        start = file.size
    }

    var size: UInt64 { file.size }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        let before = file.size
        try StorageError.wrapping { () throws(FileError) in try file.write(bytes) }
        var (rest, position) = (bytes[...], before)
        while !rest.isEmpty {
            let piece = rest.prefix(Int(min(UInt64(rest.count), start + UploadSegment.longest - position)))
            hasher.update(UnsafeRawBufferPointer(rebasing: piece))
            position += UInt64(piece.count)
            rest = rest.dropFirst(piece.count)
            if position == start + UploadSegment.longest { endSegment(at: position) }
        }
    }

    private func endSegment(at end: UInt64) {
        guard end > start else { return }
        waiting.append(UploadSegment(offset: start, length: end - start, sha256: hasher.finalize()))
        (start, hasher) = (end, SHA256Hasher())
    }

    func synchronize() throws(StorageError) {
        try StorageError.wrapping { () throws(FileError) in try file.synchronize() }
        endSegment(at: file.size)
        while let segment = waiting.first {
            try store.client.put(
                S3BlobStore.name(segment, of: id),
                .file(path: file.path, offset: segment.offset, length: segment.length, sha256: segment.sha256))
            waiting.removeFirst()
        }
    }

    func seal() throws(StorageError) -> BlobChecksums {
        let found = try StorageError.wrapping { () throws(FileError) in try file.seal() }
        return BlobChecksums(sha256: found.sha256, crc32c: found.crc32c)
    }

    func openForInspection() throws(StorageError) -> Int32 { try BlobFile.descriptor(of: file.path) }

    func prepareCommit() throws(StorageError) {
        try store.publish(file.path, as: seal().sha256, size: size)
        isPublished = true
    }

    func commit() throws(StorageError) {
        let digest = try seal().sha256
        try store.publish(file.path, as: digest, size: size, isPublished: isPublished)
        // The blob is stored. What fails from here on leaves remains, which `resumable` lists.
        try? store.cache.adopt(digest) { () throws(FileError) in try file.commit() }
        store.agreed.withLock { _ = $0.removeValue(forKey: id) }
        try? store.removeSegments(id)
    }
}

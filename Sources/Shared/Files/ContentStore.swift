package import HearthCrypto

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of files named by the SHA-256 of their bytes.
///
/// A file appears under its name only after its length and hash were checked and its bytes and folder entry are on the
/// disk. Several processes may share one store. All calls block. The type is a value that contains a path; use it from
/// any thread.
package struct ContentStore: Sendable {
    package let folder: String
    let files: any FileOperations

    /// The prefix of files that are still being written, by which `sweepAbandoned` finds them.
    package static let incomingPrefix = "incoming-"
    /// The prefix of files that are written in several sessions. A sweep does not touch them.
    package static let resumablePrefix = "growing-"

    /// Creates the folder (mode 0700) if it does not exist.
    package init(folder: String, files: any FileOperations = DiskFiles()) throws(FileError) {
        self.folder = folder
        self.files = files
        try files.makeFolder(folder, mode: 0o700)
    }

    package func path(of digest: SHA256Digest) -> String {
        FilePath.join(folder, digest.hex)
    }

    /// The stored length; nil if there is no file with that hash. Does not read the bytes.
    package func size(of digest: SHA256Digest) throws(FileError) -> UInt64? {
        try files.size(path(of: digest))
    }

    /// Begins a file whose hash is not known yet. `limitBytes` is the most it may grow to.
    package func begin(limitBytes: UInt64) throws(FileError) -> IncomingFile {
        let path = FilePath.join(folder, Self.incomingPrefix + AtomicFile.uniqueSuffix())
        return IncomingFile(
            file: try files.createFile(path, mode: 0o600), path: path, limitBytes: limitBytes, store: self)
    }

    /// Opens a file that is written in several sessions, and may outlive this process between them. Bytes beyond `size`
    /// were never confirmed to an uploader, and are dropped.
    ///
    /// - Parameters:
    ///   - name: letters, digits, `-` and `_`, chosen by the caller.
    ///   - size: the number of bytes that an earlier session made durable; 0 begins a file.
    ///   - limitBytes: the most that the file may grow to.
    /// - Returns: nil during another session, in this process or another one.
    /// - Throws: `.notFound` if the file has fewer than `size` bytes.
    package func resume(_ name: String, from size: UInt64, limitBytes: UInt64) throws(FileError) -> ResumedFile? {
        let path = try growingPath(name)
        let isThere = try files.size(path) != nil
        guard isThere || size == 0 else { throw Self.missing(path) }
        guard let file = try append(path) else { return nil }
        let found = try files.size(path) ?? 0
        guard found >= size else { throw Self.missing(path) }
        if found > size { try file.truncate(to: size) }
        return ResumedFile(file: file, path: path, size: size, limitBytes: limitBytes, store: self)
    }

    /// Opens the file for its only writer. While a child process starts, it has copies of all descriptors until it runs
    /// its own program, including copies of closed descriptors with a lock. So this retries for that moment.
    private func append(_ path: String) throws(FileError) -> (any WritableFile)? {
        for _ in 0..<Self.lockAttempts {
            if let file = try files.appendFile(path, mode: 0o600) { return file }
            usleep(Self.lockRetryMicroseconds)
        }
        return try files.appendFile(path, mode: 0o600)
    }

    private static let lockAttempts = 20
    private static let lockRetryMicroseconds: UInt32 = 5_000

    /// Removes a file that is written in several sessions, if it exists.
    package func removeResumable(_ name: String) throws(FileError) {
        let path = try growingPath(name)
        guard try files.size(path) != nil else { return }
        try files.remove(path)
        try files.synchronizeFolder(folder)
    }

    /// The names of all files that are written in several sessions.
    package func resumable() throws(FileError) -> [String] {
        try files.list(folder).filter { $0.hasPrefix(Self.resumablePrefix) }
            .map { String($0.dropFirst(Self.resumablePrefix.count)) }
    }

    private func growingPath(_ name: String) throws(FileError) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                || byte == 0x2D || byte == 0x5F
        }
        guard (1...128).contains(name.utf8.count), isPlain else {
            throw FileError(.notFound, "The name '\(name)' is not allowed: use 1 to 128 letters, digits, - and _")
        }
        return FilePath.join(folder, Self.resumablePrefix + name)
    }

    private static func missing(_ path: String) -> FileError {
        FileError(.notFound, "Cannot resume \(path): the bytes received before are gone")
    }

    /// Removes the files, as far as they exist, and synchronizes the folder once. Readers that have one open keep its
    /// bytes.
    package func remove(_ digests: [SHA256Digest]) throws(FileError) {
        var isChanged = false
        for digest in digests where try files.size(path(of: digest)) != nil {
            try files.remove(path(of: digest))
            isChanged = true
        }
        if isChanged { try files.synchronizeFolder(folder) }
    }

    /// Every stored hash, sorted.
    package func digests() throws(FileError) -> [SHA256Digest] {
        try files.list(folder).compactMap { SHA256Digest(hex: $0) }
    }

    /// The free bytes of the disk that contains the folder.
    package func freeBytes() throws(FileError) -> UInt64 { try files.freeBytes(folder) }

    /// Deletes files that interrupted writers left. Files that a living process still writes stay, and so do files of
    /// other origin, such as `incoming-copy`.
    package func sweepAbandoned() throws(FileError) {
        for name in try files.list(folder)
        where name.hasPrefix(Self.incomingPrefix)
            && AtomicFile.isUniqueSuffix(name.dropFirst(Self.incomingPrefix.count))
        {
            FileLock.removeIfAbandoned(FilePath.join(folder, name), files: files)
        }
    }
}

extension ContentStore {
    /// Gives a synchronized file its final name, and synchronizes the folder. An existing file of that name has the
    /// same bytes, or is damaged: replacing it is right in both cases, and open readers keep the old inode.
    func install(_ incoming: String, as digest: SHA256Digest) throws(FileError) {
        try files.rename(incoming, to: path(of: digest))
        try files.synchronizeFolder(folder)
    }
}

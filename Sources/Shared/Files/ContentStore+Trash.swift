package import HearthCrypto

/// Files that seem unneeded: they keep their bytes under another name in the same folder, until they are restored or
/// deleted.
extension ContentStore {
    /// A file in the trash, with the time when it was moved there.
    package struct TrashedFile: Sendable, Hashable {
        package let digest: SHA256Digest
        /// Seconds since 1970, by the clock of that time.
        package let seconds: Int64

        package init(digest: SHA256Digest, seconds: Int64) {
            self.digest = digest
            self.seconds = seconds
        }

        /// The file's name in the folder.
        package var name: String { "\(Self.prefix)\(seconds)-\(digest.hex)" }

        /// Nil for the name of any other file.
        package init?(name: String) {
            guard name.hasPrefix(Self.prefix) else { return nil }
            let parts = name.dropFirst(Self.prefix.count).split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let seconds = Int64(parts[0]), seconds >= 0,
                let digest = SHA256Digest(hex: String(parts[1]))
            else { return nil }
            self.init(digest: digest, seconds: seconds)
        }

        private static let prefix = "aside-"
    }

    /// Every file in the trash.
    package func trashedFiles() throws(FileError) -> [TrashedFile] { try Self.trashedFiles(in: folder, files: files) }

    /// Every file in the trash of a folder, which need not be a store.
    package static func trashedFiles(
        in folder: String, files: any FileOperations = DiskFiles()
    ) throws(FileError) -> [TrashedFile] {
        try files.list(folder).compactMap { TrashedFile(name: $0) }
    }

    /// Moves the files, as far as they exist, to the trash, and synchronizes the folder once. Anything but a regular
    /// file stays.
    ///
    /// - Returns: how many files it moved.
    package func moveToTrash(_ digests: [SHA256Digest], atSeconds seconds: Int64) throws(FileError) -> Int {
        var count = 0
        for digest in digests where FileStamp(path: path(of: digest)) != nil {
            try files.rename(path(of: digest), to: path(of: TrashedFile(digest: digest, seconds: max(seconds, 0))))
            count += 1
        }
        if count > 0 { try files.synchronizeFolder(folder) }
        return count
    }

    /// Restores the names of the files whose name is free. Of two files with the same bytes, the one that was moved to
    /// the trash last is restored.
    ///
    /// - Returns: how many files it restored.
    package func restoreFromTrash(_ trashedFiles: [TrashedFile]) throws(FileError) -> Int {
        var count = 0
        for aside in trashedFiles.sorted(by: { $0.seconds > $1.seconds }) where !isTaken(path(of: aside.digest)) {
            guard FileStamp(path: path(of: aside)) != nil else { continue }
            try files.rename(path(of: aside), to: path(of: aside.digest))
            count += 1
        }
        if count > 0 { try files.synchronizeFolder(folder) }
        return count
    }

    /// Deletes files from the trash for good, and synchronizes the folder once.
    ///
    /// - Returns: how many files it deleted.
    package func deleteTrashed(_ trashedFiles: [TrashedFile]) throws(FileError) -> Int {
        var count = 0
        for aside in trashedFiles where FileStamp(path: path(of: aside)) != nil {
            try files.remove(path(of: aside))
            count += 1
        }
        if count > 0 { try files.synchronizeFolder(folder) }
        return count
    }

    private func path(of aside: TrashedFile) -> String { FilePath.join(folder, aside.name) }

    private func isTaken(_ path: String) -> Bool { PathKind(path) != .absent }
}

package import HearthCrypto

/// Files that nobody seems to need: they keep their bytes under another name in the same folder, until they are put back or
/// removed.
extension ContentStore {
    /// A file that was set aside, and when.
    package struct TrashedFile: Sendable, Hashable {
        package let digest: SHA256Digest
        /// Since 1970, by the clock of that time.
        package let seconds: Int64

        package init(digest: SHA256Digest, seconds: Int64) {
            self.digest = digest
            self.seconds = seconds
        }

        /// Of the file in the folder.
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

    /// Every file that was set aside.
    package func trashedFiles() throws(FileError) -> [TrashedFile] { try Self.trashedFiles(in: folder, files: files) }

    /// Every file that was set aside in a folder that need not be a store.
    package static func trashedFiles(
        in folder: String, files: any FileOperations = DiskFiles()
    ) throws(FileError) -> [TrashedFile] {
        try files.list(folder).compactMap { TrashedFile(name: $0) }
    }

    /// Sets aside those of the files that are there, and synchronises the folder once. What is no regular file stays.
    ///
    /// - Returns: how many they were.
    package func moveToTrash(_ digests: [SHA256Digest], atSeconds seconds: Int64) throws(FileError) -> Int {
        var count = 0
        for digest in digests where FileStamp(path: path(of: digest)) != nil {
            try files.rename(path(of: digest), to: path(of: TrashedFile(digest: digest, seconds: max(seconds, 0))))
            count += 1
        }
        if count > 0 { try files.synchronizeFolder(folder) }
        return count
    }

    /// Gives those of the files their names back of which there is none under that name. Of two with the same bytes the one
    /// comes back that was set aside last.
    ///
    /// - Returns: how many they were.
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

    /// Removes files that were set aside, for good; synchronises the folder once.
    ///
    /// - Returns: how many they were.
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

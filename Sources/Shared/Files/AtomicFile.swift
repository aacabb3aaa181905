/// Small files that are always replaced as a whole.
package enum AtomicFile {
    /// Writes `bytes` so that, even after a crash, a reader finds either the old contents or the new ones: it writes a
    /// temporary file in the same folder, calls `fsync`, renames the file, and calls `fsync` on the folder.
    package static func write(
        _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, files: any FileOperations = DiskFiles()
    ) throws(FileError) {
        let temporary = path + temporaryMark + uniqueSuffix() + temporaryEnding
        do throws(FileError) {
            let file = try files.createFile(temporary, mode: mode)
            try file.write(bytes)
            try file.synchronize()
            try files.rename(temporary, to: path)
        } catch {
            try? files.remove(temporary)
            throw error
        }
        try files.synchronizeFolder(FilePath.folder(of: path))
    }

    /// Deletes temporary files that interrupted writes left in a folder without files of users. They may contain
    /// secrets. Files that a living process still writes stay.
    package static func sweepAbandoned(in folder: String, files: any FileOperations = DiskFiles()) throws(FileError) {
        for name in try files.list(folder) where name.contains(temporaryMark) {
            FileLock.removeIfAbandoned(FilePath.join(folder, name), files: files)
        }
    }

    /// Like `sweepAbandoned(in:)`, for one file in a folder that also contains files of users.
    package static func sweepAbandoned(of path: String, files: any FileOperations = DiskFiles()) throws(FileError) {
        let folder = FilePath.folder(of: path)
        for name in try files.list(folder) where isTemporary(name, of: FilePath.name(of: path)) {
            FileLock.removeIfAbandoned(FilePath.join(folder, name), files: files)
        }
    }

    /// Whether a name is that of a temporary file for the file of this name. Names that users give to copies, such as
    /// `file.new-2027`, do not count.
    package static func isTemporary(_ name: String, of file: String) -> Bool {
        name.utf8.count == file.utf8.count + temporaryLength && name.hasPrefix(file) && isTemporary(name)
    }

    /// Like `isTemporary(_:of:)`, for a file of any name.
    package static func isTemporary(_ name: String) -> Bool {
        let tail = name.suffix(temporaryLength)
        guard tail.hasPrefix(temporaryMark), tail.hasSuffix(temporaryEnding) else { return false }
        let suffix = tail.dropFirst(temporaryMark.count).dropLast(temporaryEnding.count)
        return suffix.utf8.count == suffixLength && isUniqueSuffix(suffix)
    }

    private static let temporaryMark = ".new-"
    /// Makes the name unlikely for any other program.
    private static let temporaryEnding = ".hearth"
    /// The digits of the largest number, in base 36.
    private static let suffixLength = 13
    private static var temporaryLength: Int {
        temporaryMark.utf8.count + suffixLength + temporaryEnding.utf8.count
    }
    /// Earlier versions wrote no leading zeros. One number in 130,000 is shorter than this.
    private static let leastSuffixLength = 11

    static func uniqueSuffix() -> String {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 36)
        return String(repeating: "0", count: suffixLength - digits.utf8.count) + digits
    }

    /// Whether a text has the form of a unique suffix of this version or an earlier one. Words and dates do not have
    /// it.
    static func isUniqueSuffix(_ text: some StringProtocol) -> Bool {
        guard (leastSuffixLength...suffixLength).contains(text.utf8.count), UInt64(text, radix: 36) != nil else {
            return false
        }
        let digits = text.utf8.count { (0x30...0x39).contains($0) }
        let letters = text.utf8.count { (0x61...0x7A).contains($0) }
        return digits > 0 && letters > 0 && digits + letters == text.utf8.count
    }
}

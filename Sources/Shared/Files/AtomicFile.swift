/// Small files that are replaced whole.
package enum AtomicFile {
    /// Writes `bytes` so that, whatever happens, a reader finds the old contents or the new ones: a temporary file
    /// in the same folder, `fsync`, rename, `fsync` of the folder.
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

    /// Deletes what interrupted writes left in a folder that people put nothing into; files that a living process still writes
    /// stay. They may hold secrets.
    package static func sweepAbandoned(in folder: String, files: any FileOperations = DiskFiles()) throws(FileError) {
        for name in try files.list(folder) where name.contains(temporaryMark) {
            FileLock.removeIfAbandoned(FilePath.join(folder, name), files: files)
        }
    }

    /// As `sweepAbandoned(in:)`, for one file in a folder that holds other people's files too.
    package static func sweepAbandoned(of path: String, files: any FileOperations = DiskFiles()) throws(FileError) {
        let folder = FilePath.folder(of: path)
        for name in try files.list(folder) where isTemporary(name, of: FilePath.name(of: path)) {
            FileLock.removeIfAbandoned(FilePath.join(folder, name), files: files)
        }
    }

    /// Whether a name is one that a file of this name has here while it is written. Names that people give to copies, such as
    /// `file.new-2027`, are none.
    package static func isTemporary(_ name: String, of file: String) -> Bool {
        name.utf8.count == file.utf8.count + temporaryLength && name.hasPrefix(file) && isTemporary(name)
    }

    /// As `isTemporary(_:of:)`, for a file of whatever name.
    package static func isTemporary(_ name: String) -> Bool {
        let tail = name.suffix(temporaryLength)
        guard tail.hasPrefix(temporaryMark), tail.hasSuffix(temporaryEnding) else { return false }
        let suffix = tail.dropFirst(temporaryMark.count).dropLast(temporaryEnding.count)
        return suffix.utf8.count == suffixLength && isUniqueSuffix(suffix)
    }

    private static let temporaryMark = ".new-"
    /// So that nobody else happens upon such a name.
    private static let temporaryEnding = ".hearth"
    /// Digits of the largest number, to the base 36.
    private static let suffixLength = 13
    private static var temporaryLength: Int {
        temporaryMark.utf8.count + suffixLength + temporaryEnding.utf8.count
    }
    /// Earlier versions wrote no zeros in front. One number in 130,000 is shorter.
    private static let leastSuffixLength = 11

    static func uniqueSuffix() -> String {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 36)
        return String(repeating: "0", count: suffixLength - digits.utf8.count) + digits
    }

    /// Whether a text looks like a unique suffix of this version or an earlier one: words and dates do not.
    static func isUniqueSuffix(_ text: some StringProtocol) -> Bool {
        guard (leastSuffixLength...suffixLength).contains(text.utf8.count), UInt64(text, radix: 36) != nil else {
            return false
        }
        let digits = text.utf8.count { (0x30...0x39).contains($0) }
        let letters = text.utf8.count { (0x61...0x7A).contains($0) }
        return digits > 0 && letters > 0 && digits + letters == text.utf8.count
    }
}

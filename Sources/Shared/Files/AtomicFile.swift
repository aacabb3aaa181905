/// Small files that are replaced whole.
public enum AtomicFile {
    /// Writes `bytes` so that, whatever happens, a reader finds the old contents or the new ones: a temporary file
    /// in the same folder, `fsync`, rename, `fsync` of the folder.
    public static func write(
        _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, files: any FileOperations = DiskFiles()
    ) throws(FileError) {
        let temporary = path + temporaryMark + uniqueSuffix()
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

    /// Deletes what interrupted writes left in the folder; files that a living process still writes stay. They may hold
    /// secrets.
    public static func sweepAbandoned(in folder: String, files: any FileOperations = DiskFiles()) throws(FileError) {
        for name in try files.list(folder) where name.contains(temporaryMark) {
            FileLock.removeIfAbandoned(FilePath.join(folder, name), files: files)
        }
    }

    /// As `sweepAbandoned(in:)`, for one file in a folder that holds other people's files too.
    public static func sweepAbandoned(of path: String, files: any FileOperations = DiskFiles()) throws(FileError) {
        let (folder, mark) = (FilePath.folder(of: path), FilePath.name(of: path) + temporaryMark)
        for name in try files.list(folder) where name.hasPrefix(mark) {
            FileLock.removeIfAbandoned(FilePath.join(folder, name), files: files)
        }
    }

    private static let temporaryMark = ".new-"

    static func uniqueSuffix() -> String {
        String(UInt64.random(in: 0 ... .max), radix: 36)
    }
}

import Foundation

/// Ensures that only its owner can write to a weight cache's folder.
enum WeightCacheFolder {
    /// Creates the folder if it is missing.
    /// - Returns: The reason why it cannot be used; nil if it can.
    static func problem(with path: String) -> String? {
        if mkdirWithParents(path) != 0 { return "the directory cannot be created (\(SystemError(number: errno)))" }
        var status = stat()
        guard stat(path, &status) == 0 else { return "the directory cannot be read (\(SystemError(number: errno)))" }
        guard status.st_mode & S_IFMT == S_IFDIR else { return "it is not a directory" }
        guard status.st_uid == geteuid() else { return "the folder belongs to another user" }
        guard status.st_mode & 0o022 == 0 else { return "other users can write to the directory; run chmod go-w on it" }
        guard access(path, W_OK | X_OK) == 0 else { return "the folder cannot be written to" }
        return nil
    }

    /// Removes files of processes that were killed while they wrote them.
    static func removeStaleFiles(in path: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where WeightCacheName.isTemporary(name) {
            var status = stat()
            let file = "\(path)/\(name)"
            guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                Date().timeIntervalSince1970 - TimeInterval(status.st_mtim.tv_sec) > staleAge
            else { continue }
            unlink(file)
        }
    }

    /// Far longer than it takes to write any file.
    private static let staleAge: TimeInterval = 24 * 60 * 60

    private static func mkdirWithParents(_ path: String) -> Int32 {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return 0 }
        let parent = (path as NSString).deletingLastPathComponent
        guard errno == ENOENT, !parent.isEmpty, parent != path, mkdirWithParents(parent) == 0 else { return -1 }
        return mkdir(path, 0o700) == 0 || errno == EEXIST ? 0 : -1
    }
}

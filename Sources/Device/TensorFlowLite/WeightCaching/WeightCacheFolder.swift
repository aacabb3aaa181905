import Foundation

/// Makes sure that a weight cache's folder is one that only its owner writes to.
enum WeightCacheFolder {
    /// Makes the folder if it is missing.
    /// - Returns: Why it cannot be used; nil if it can.
    static func problem(with path: String) -> String? {
        if mkdirWithParents(path) != 0 { return "the folder cannot be made (\(SystemError(number: errno)))" }
        var status = stat()
        guard stat(path, &status) == 0 else { return "the folder cannot be looked at (\(SystemError(number: errno)))" }
        guard status.st_mode & S_IFMT == S_IFDIR else { return "it is no folder" }
        guard status.st_uid == geteuid() else { return "the folder belongs to another user" }
        guard status.st_mode & 0o022 == 0 else { return "others may write to the folder; take that right away" }
        guard access(path, W_OK | X_OK) == 0 else { return "the folder cannot be written to" }
        return nil
    }

    /// Removes what processes that were killed while they wrote a file left behind.
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

    /// Far longer than any file takes to be written.
    private static let staleAge: TimeInterval = 24 * 60 * 60

    private static func mkdirWithParents(_ path: String) -> Int32 {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return 0 }
        let parent = (path as NSString).deletingLastPathComponent
        guard errno == ENOENT, !parent.isEmpty, parent != path, mkdirWithParents(parent) == 0 else { return -1 }
        return mkdir(path, 0o700) == 0 || errno == EEXIST ? 0 : -1
    }
}

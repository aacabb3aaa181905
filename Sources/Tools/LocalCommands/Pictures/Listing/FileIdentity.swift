import Glibc

/// Which file or folder a path leads to, whatever its name there. Wraps `stat`.
struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// Nil when there is nothing.
    init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        device = info.st_dev
        number = info.st_ino
    }
}

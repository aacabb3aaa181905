#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The kind of the entry at a path, without following links.
package enum PathKind: Sendable, Hashable {
    case absent
    case file
    case folder
    case link
    /// A pipe, a socket, a device.
    case other
    /// The system does not say.
    case unknown

    package init(_ path: String) {
        var info = stat()
        guard lstat(path, &info) == 0 else {
            self = errno == ENOENT || errno == ENOTDIR ? .absent : .unknown
            return
        }
        self.init(mode: info.st_mode)
    }

    /// The kind of a link's target, if the path is a link; `absent` if the target does not exist.
    package init(following path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else {
            self = errno == ENOENT || errno == ENOTDIR ? .absent : .unknown
            return
        }
        self.init(mode: info.st_mode)
    }

    private init(mode: mode_t) {
        self =
            switch mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What lies at a path, links not followed.
package enum PathKind: Sendable, Hashable {
    case absent
    case file
    case folder
    case link
    /// A pipe, a socket, a device.
    case other
    /// The system does not tell.
    case unknown

    package init(_ path: String) {
        var info = stat()
        guard lstat(path, &info) == 0 else {
            self = errno == ENOENT || errno == ENOTDIR ? .absent : .unknown
            return
        }
        self.init(mode: info.st_mode)
    }

    /// What a link leads to, when there is one; `absent` when it leads nowhere.
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

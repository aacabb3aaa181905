#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a file system knows about a regular file without reading it. Two equal, settled stamps mean the same bytes.
package struct FileStamp: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
    /// In bytes.
    package let size: UInt64
    /// When the bytes were last changed, in nanoseconds since 1970; wraps around outside the range of 64 bits.
    package let modified: Int64
    /// When anything about the file was last changed. Programs cannot set it.
    package let changed: Int64

    /// The stamp of the file at `path`, without following links; nil if it is not a regular file.
    package init?(path: String) {
        var info = stat()
        guard lstat(path, &info) == 0 else { return nil }
        self.init(info)
    }

    /// The stamp of an open file; nil if it is not a regular file.
    package init?(descriptor: Int32) {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return nil }
        self.init(info)
    }

    private init?(_ info: stat) {
        guard info.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt64(truncatingIfNeeded: info.st_dev)
        inode = UInt64(truncatingIfNeeded: info.st_ino)
        size = UInt64(clamping: info.st_size)
        #if canImport(Darwin)
            modified = Self.nanoseconds(info.st_mtimespec)
            changed = Self.nanoseconds(info.st_ctimespec)
        #else
            modified = Self.nanoseconds(info.st_mtim)
            changed = Self.nanoseconds(info.st_ctim)
        #endif
    }

    /// Whether the stamp would show a change from now on. File systems measure time in ticks of some milliseconds: a
    /// file that changes twice within one tick keeps its stamp.
    package func isSettled() -> Bool {
        var now = timespec()
        guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
        let age = Self.nanoseconds(now).subtractingReportingOverflow(changed)
        return !age.overflow && age.partialValue > Self.tickNanoseconds
    }

    /// Longer than the ticks of any kernel.
    private static let tickNanoseconds: Int64 = 50_000_000

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Whether `path` leads to the open file, of any kind.
    static func isInPlace(_ descriptor: Int32, _ path: String, followingLinks: Bool = false) -> Bool {
        var here = stat()
        var there = stat()
        guard fstat(descriptor, &here) == 0, (followingLinks ? stat(path, &there) : lstat(path, &there)) == 0 else {
            return false
        }
        return here.st_dev == there.st_dev && here.st_ino == there.st_ino
    }
}

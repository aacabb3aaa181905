#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Owns one descriptor, closed with the object.
///
/// It holds an advisory lock while it lives, so that a store can tell a file that is still being written (by this
/// process or another one) from one that a crash left behind.
final class DiskFile: WritableFile {
    private let descriptor: Int32
    private let path: String

    init(takingOwnershipOf descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { LockedDescriptor.close(descriptor) }

    /// For a new file, whose lock nobody holds but a sweep, for a moment.
    func lock() {
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    /// False while somebody else holds the lock.
    func tryLock() throws(FileError) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw FileError.system("lock", path, errno: errno) }
        }
        return true
    }

    var isInPlace: Bool { FileStamp.isInPlace(descriptor, path) }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = systemWrite(descriptor, base, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError.system("write to", path, errno: errno)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    func truncate(to size: UInt64) throws(FileError) {
        guard ftruncate(descriptor, off_t(clamping: size)) == 0, lseek(descriptor, 0, SEEK_END) >= 0 else {
            throw FileError.system("shorten", path, errno: errno)
        }
    }

    func synchronize() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw FileError.system("synchronise", path, errno: errno) }
    }
}

private func systemWrite(_ descriptor: Int32, _ base: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, base, count)
}

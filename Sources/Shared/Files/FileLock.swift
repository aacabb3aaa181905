#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An advisory lock between processes (and threads) on a lock file: `flock`. Held until the object is released.
public final class FileLock: Sendable {
    private let descriptor: Int32

    private init(takingOwnershipOf descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Waits until nobody else holds the lock at `path`, which is created if needed.
    public static func acquire(_ path: String) throws(FileError) -> FileLock {
        let descriptor = try openLockFile(path)
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let number = errno
                close(descriptor)
                throw FileError.system("lock", path, errno: number)
            }
        }
        return FileLock(takingOwnershipOf: descriptor)
    }

    /// The lock, or nil when somebody else holds it.
    public static func tryAcquire(_ path: String) throws(FileError) -> FileLock? {
        let descriptor = try openLockFile(path)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return FileLock(takingOwnershipOf: descriptor)
    }

    /// The lock of the existing file at `path`, or nil when the process that writes it still holds it.
    static func ofAbandoned(_ path: String) -> FileLock? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return FileLock(takingOwnershipOf: descriptor)
    }

    private static func openLockFile(_ path: String) throws(FileError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError.system("open the lock file", path, errno: errno) }
        return descriptor
    }
}

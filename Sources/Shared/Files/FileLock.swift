#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An advisory lock between processes (and threads) on a lock file: `flock`. Held until the object is released.
package final class FileLock: Sendable {
    private let descriptor: Int32

    private init(takingOwnershipOf descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { LockedDescriptor.close(descriptor) }

    /// Waits until no other process or thread holds the lock at `path`. The lock file is created if needed.
    package static func acquire(_ path: String) throws(FileError) -> FileLock {
        while true {
            let lock = FileLock(takingOwnershipOf: try openLockFile(path))
            while flock(lock.descriptor, LOCK_EX) != 0 {
                guard errno == EINTR else { throw FileError.system("lock", path, errno: errno) }
            }
            if lock.isInPlace(path) { return lock }
        }
    }

    /// The lock, or nil if another process or thread holds it.
    package static func tryAcquire(_ path: String) throws(FileError) -> FileLock? {
        while true {
            let lock = FileLock(takingOwnershipOf: try openLockFile(path))
            while flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0 {
                if errno == EWOULDBLOCK { return nil }
                guard errno == EINTR else { throw FileError.system("lock", path, errno: errno) }
            }
            // A lock on a removed file excludes no other process.
            if lock.isInPlace(path) { return lock }
        }
    }

    /// Waits like `acquire`, as long as `mayWait` returns true; nil after that. `flock` has no wait that ends, so
    /// the lock is tried fifty times a second, and `mayWait` is asked as often.
    package static func acquire(_ path: String, asLongAs mayWait: () -> Bool) throws(FileError) -> FileLock? {
        while true {
            if let lock = try tryAcquire(path) { return lock }
            guard mayWait() else { return nil }
            usleep(pollMicroseconds)
        }
    }

    /// The lock on the folder itself, without a file that could be removed. Nil if another process holds it.
    ///
    /// Some network file systems do not support such locks. On them it excludes no other process.
    package static func tryAcquire(folder: String) throws(FileError) -> FileLock? {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError.system("open the folder", folder, errno: errno) }
        let lock = FileLock(takingOwnershipOf: descriptor)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return nil }
            guard errno == EINTR else { break }
        }
        return lock
    }

    /// Whether `path` leads to the locked file: false after it was removed, moved or replaced.
    package func isInPlace(_ path: String) -> Bool {
        FileStamp.isInPlace(descriptor, path, followingLinks: true)
    }

    private static let pollMicroseconds: UInt32 = 20_000

    /// Removes the existing file at `path`, unless the process that writes it still holds its lock.
    static func removeIfAbandoned(_ path: String, files: any FileOperations) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        // Held until the file is removed: a writer that has created but not locked it yet waits, sees that it is gone,
        // and creates it again.
        let lock = FileLock(takingOwnershipOf: descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
        try? withExtendedLifetime(lock) { try files.remove(path) }
    }

    private static func openLockFile(_ path: String) throws(FileError) -> Int32 {
        // A link could lead to a place where no file must be made.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileError.system("open the lock file", path, errno: errno) }
        return descriptor
    }
}

/// Closes descriptors that may hold a lock.
enum LockedDescriptor {
    /// Releases the lock that the descriptor may hold, and closes it. Closing alone would leave the lock to a child
    /// process that started meanwhile, which has a copy of every descriptor until it runs its own program.
    static func close(_ descriptor: Int32) {
        _ = flock(descriptor, LOCK_UN)
        _ = systemClose(descriptor)
    }
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

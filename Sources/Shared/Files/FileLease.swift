package import HearthCrypto

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Marks a file as in use: a shared lock on it, held until the object is released, which `removeIfUnused` respects in
/// every process.
///
/// A reader that has the file open or mapped keeps its bytes in any case; the lease also keeps the path valid. Use it
/// from any thread.
package final class FileLease: Sendable {
    package let path: String
    private let descriptor: Int32

    private init(takingOwnershipOf descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { LockedDescriptor.close(descriptor) }

    /// A lease on the file at `path`; nil if it is not a regular file, or is a link. Waits for the moment in which
    /// another process checks whether the file is in use.
    package static func take(_ path: String) throws(FileError) -> FileLease? {
        while true {
            let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else {
                if [ENOENT, ENOTDIR, ELOOP].contains(errno) { return nil }
                throw FileError.system("open", path, errno: errno)
            }
            let lease = FileLease(takingOwnershipOf: descriptor, path: path)
            guard lease.stamp != nil else { return nil }
            while flock(descriptor, LOCK_SH) != 0 {
                guard errno == EINTR else { throw FileError.system("lock", path, errno: errno) }
            }
            // Otherwise the file was removed or replaced between opening and locking, so this retries.
            if lease.isInPlace { return lease }
        }
    }

    /// Removes the file at `path`, unless a process has a lease on it or writes it. Returns false in that case, and if
    /// there is no file. A link is removed, and its target is not touched.
    package static func removeIfUnused(_ path: String, files: any FileOperations = DiskFiles()) throws(FileError)
        -> Bool
    {
        let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return false }
            guard errno == ELOOP else { throw FileError.system("open", path, errno: errno) }
            try files.remove(path)
            return true
        }
        // Held until the file is removed: a process that waits for a lease then sees that the file is gone.
        let holder = FileLease(takingOwnershipOf: descriptor, path: path)
        defer { withExtendedLifetime(holder) {} }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, holder.isInPlace else { return false }
        try files.remove(path)
        return true
    }

    /// Whether a process has a lease on the file or writes it.
    package static func isInUse(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { LockedDescriptor.close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }

    /// The present state of the leased file in the file system.
    package var stamp: FileStamp? { FileStamp(descriptor: descriptor) }

    /// Whether the path still leads to the leased file. Only programs that ignore leases can change that.
    package var isInPlace: Bool { FileStamp.isInPlace(descriptor, path) }

    /// SHA-256 of the whole leased file, whatever is at its path now.
    package func sha256() throws(FileError) -> SHA256Digest {
        try FileDigest.hasher(descriptor, path).hasher.finalize()
    }
}

package import HearthCrypto

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// "Somebody uses this file": a shared lock on it, held until the object is released, that `removeIfUnused` respects in
/// every process.
///
/// Whoever has the file open or mapped keeps its bytes anyway; the lease keeps the path good. Use it from any thread.
package final class FileLease: Sendable {
    package let path: String
    private let descriptor: Int32

    private init(takingOwnershipOf descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { LockedDescriptor.close(descriptor) }

    /// A lease on what lies at `path`; nil when that is no regular file, or a link. Waits for the moment that somebody
    /// else takes to look whether the file is in use.
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
            // Else it was removed or replaced between opening and locking: look again.
            if lease.isInPlace { return lease }
        }
    }

    /// Removes what lies at `path` unless somebody holds a lease on it or writes it; false then, and when there is
    /// nothing. A link is removed, and what it leads to is not touched.
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
        // Held until the file is gone: who waits for a lease on it sees then that it is gone.
        let holder = FileLease(takingOwnershipOf: descriptor, path: path)
        defer { withExtendedLifetime(holder) {} }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, holder.isInPlace else { return false }
        try files.remove(path)
        return true
    }

    /// Whether somebody holds a lease on the file or writes it.
    package static func isInUse(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { LockedDescriptor.close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }

    /// What the file system says about the leased file now.
    package var stamp: FileStamp? { FileStamp(descriptor: descriptor) }

    /// Whether the path still leads to the leased file. Only who ignores leases can change that.
    package var isInPlace: Bool { FileStamp.isInPlace(descriptor, path) }

    /// SHA-256 of the whole leased file, whatever lies at its path by now.
    package func sha256() throws(FileError) -> SHA256Digest {
        try FileDigest.hasher(descriptor, path).hasher.finalize()
    }
}

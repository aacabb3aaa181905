internal import Glibc

/// A file descriptor with one owner: closed with the last reference.
package final class OwnedDescriptor: Sendable {
    /// Valid as long as this object is.
    package let rawValue: Int32

    /// - Parameter descriptor: the caller gives it up and must not close it.
    package init(takingOwnershipOf descriptor: Int32) {
        rawValue = descriptor
    }

    deinit {
        if rawValue >= 0 { close(rawValue) }
    }

    /// Bytes in the file; `nil` if it is not a regular file. Wraps `fstat`.
    package var regularFileLength: UInt64? {
        var status = stat()
        guard fstat(rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return UInt64(exactly: status.st_size)
    }

    /// A second descriptor of the same open file, for an owner in C.
    func duplicate() -> Int32 { fcntl(rawValue, F_DUPFD_CLOEXEC, 0) }
}

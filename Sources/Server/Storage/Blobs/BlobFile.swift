import Glibc
import HearthFiles

/// Opening the files that contain blobs.
package enum BlobFile {
    /// A blob in a file, for reading. The caller owns the descriptor.
    ///
    /// - Throws: `.notFound` if there is no such file, `.corrupt` for anything but a regular file, which may be a link to
    ///   secrets.
    package static func open(_ path: String) throws(StorageError) -> OpenBlob {
        let descriptor = try descriptor(of: path)
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw StorageError(.corrupt, "The stored file \(FilePath.name(of: path)) is not a regular file")
        }
        return OpenBlob(descriptor: descriptor, size: UInt64(info.st_size))
    }

    /// Follows no link, and does not block on a pipe. The caller owns the descriptor.
    package static func descriptor(of path: String) throws(StorageError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let number = errno
            if number == ELOOP { throw StorageError(.corrupt, "The stored file \(path) is a symbolic link") }
            let code: StorageError.Code =
                switch number {
                case ENOENT: .notFound
                case EMFILE, ENFILE: .tooManyOpen
                default: .io
                }
            throw StorageError(code, "Cannot open \(path): \(String(cString: strerror(number)))")
        }
        return descriptor
    }
}

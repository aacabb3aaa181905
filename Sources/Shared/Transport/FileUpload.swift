import Foundation

/// A body that is read from a file while it is sent. Owns the descriptor: opened in `init`, closed once in `deinit`.
final class FileUpload: UploadSource {
    let length: UInt64
    private let descriptor: Int32
    private let offset: UInt64

    /// Opens the file.
    ///
    /// - Parameter length: How many bytes to send; nil for all to the file's end.
    /// - Throws: `bodyUnreadable` when `path` is not a readable regular file, or is shorter than `offset` and `length`.
    init(path: String, offset: UInt64, length: UInt64? = nil) throws(TransportError) {
        // Without O_NONBLOCK, opening a named pipe would wait for its writer.
        guard !path.utf8.contains(0), case let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK),
            descriptor >= 0
        else { throw Self.unreadable("cannot be opened") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Self.unreadable("is not a regular file")
        }
        let size = UInt64(max(0, status.st_size))
        guard offset <= size else {
            close(descriptor)
            throw Self.unreadable("has \(size) bytes, but sending should begin at \(offset)")
        }
        guard length ?? 0 <= size - offset else {
            close(descriptor)
            throw Self.unreadable("has \(size - offset) bytes from \(offset) on, but \(length ?? 0) should be sent")
        }
        self.descriptor = descriptor
        self.offset = offset
        self.length = length ?? size - offset
    }

    func read(at position: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int {
        let wanted = min(UInt64(buffer.count), length - min(position, length))
        guard wanted > 0 else { return 0 }
        var count = -1
        repeat {
            count = pread(descriptor, buffer.baseAddress, Int(wanted), off_t(offset + position))
        } while count < 0 && errno == EINTR
        guard count > 0 else { throw Self.unreadable("changed or could not be read while it was sent") }
        return count
    }

    private static func unreadable(_ reason: String) -> TransportError {
        TransportError(.bodyUnreadable, "the file to upload \(reason)")
    }

    deinit {
        close(descriptor)
    }
}

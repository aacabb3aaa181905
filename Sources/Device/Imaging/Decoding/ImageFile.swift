import Foundation

/// The bytes of an image file, in memory of the pool. The path is not trusted: it may be a folder, a pipe, a device or
/// a file that is far too large.
struct ImageFile {
    private let memory: PooledBytes
    private let byteCount: Int

    /// Reads the whole file. The corresponding C function is `read`.
    ///
    /// - Parameter reserve: Called with the number of bytes before memory is allocated for them.
    init(
        _ path: String, limits: ImageLimits, reserve: (Int) throws(ImageError) -> Void = { _ in }
    ) throws(ImageError) {
        // O_NONBLOCK, so that a pipe without a writer does not block the call. It has no effect on regular files.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.openingFailure(errno, path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.openingFailure(errno, path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ImageError(.unreadableFile, "\(path) is not a regular file; give the path of an image file")
        }
        let size = Int(status.st_size)
        try limits.check(fileBytes: size)
        try reserve(size)
        guard let memory = PooledBytes(size, isCleared: false) else {
            throw ImageError(.outOfMemory, "there is not enough memory for the \(size) bytes of \(path)")
        }
        self.memory = memory
        byteCount = try Self.fill(memory.bytes, from: descriptor, path)
    }

    func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(ImageError) -> Result
    ) throws(ImageError) -> Result {
        defer { withExtendedLifetime(memory) {} }
        return try body(UnsafeRawBufferPointer(rebasing: memory.bytes[..<byteCount]))
    }

    /// - Returns: The number of bytes read: fewer if the file was truncated in the meantime.
    private static func fill(
        _ bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32, _ path: String
    ) throws(ImageError) -> Int {
        var filled = 0
        while filled < bytes.count, let start = bytes.baseAddress {
            let count = read(descriptor, start + filled, bytes.count - filled)
            if count == 0 { break }
            if count > 0 {
                filled += count
            } else if errno != EINTR {
                throw ImageError(.unreadableFile, "\(path) could not be read: \(String(cString: strerror(errno)))")
            }
        }
        return filled
    }

    private static func openingFailure(_ number: Int32, _ path: String) -> ImageError {
        number == ENOENT || number == ENOTDIR
            ? ImageError(.notFound, "there is no file at \(path)")
            : ImageError(.unreadableFile, "\(path) could not be opened: \(String(cString: strerror(number)))")
    }
}

extension UnsafeRawBufferPointer {
    /// The little-endian number at `offset`; nil if it reaches beyond the bytes.
    func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type, at offset: Int) -> Number? {
        guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return nil }
        return Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}

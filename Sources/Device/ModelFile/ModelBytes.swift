#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// The bytes of one file. They never change after init, and this object owns their memory.
///
/// The first byte is aligned to 64 bytes, and at least 64 zero bytes follow the last one, so that kernels that read a
/// little past the end of a constant stay inside the memory. Any thread may read at any time.
public final class ModelBytes: Sendable {
    /// The alignment of the first byte in bytes; also the least number of readable zero bytes after the last byte.
    public static let alignment = 64

    /// The most bytes that a flatbuffer can address: 2 GiB less one byte.
    public static let largestModel = 0x7FFF_FFFF

    // Safe to share: set once in init, only read afterwards, freed in deinit when no reference is left.
    private nonisolated(unsafe) let storage: UnsafeMutableRawPointer
    private let isMapped: Bool

    /// The bytes of the file, without the padding.
    public let count: Int

    /// The first byte. Valid only while this object lives: keep a reference for as long as you use the pointer.
    public var baseAddress: UnsafeRawPointer { UnsafeRawPointer(storage) }

    /// Reads the regular file at `path` into memory and follows links.
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limitBytes: The most bytes to accept.
    /// - Throws: `notFound`, `unreadable` (a folder, a device, no permission, changed while it was read), `empty`,
    ///   `tooLarge`.
    public convenience init(
        contentsOfFile path: String, limitBytes: Int = ModelBytes.largestModel
    ) throws(ModelFileError) {
        try self.init(contentsOfFile: path, limitBytes: limitBytes, followsLinks: true)
    }

    convenience init(contentsOfFile path: String, limitBytes: Int, followsLinks: Bool) throws(ModelFileError) {
        let descriptor = try FileReader.open(path, followsLinks: followsLinks)
        defer { close(descriptor) }
        try self.init(FileReader(descriptor: descriptor, name: "'\(path)'"), limitBytes: limitBytes)
    }

    /// Reads a regular file from its first byte through an open descriptor. The caller keeps the descriptor, whose
    /// position does not change. The only system calls are `fstat`, `pread` and those of memory allocation, so this
    /// works inside a sandbox.
    /// - Throws: The same errors as ``init(contentsOfFile:limitBytes:)``.
    public convenience init(
        descriptor: Int32, limitBytes: Int = ModelBytes.largestModel
    ) throws(ModelFileError) {
        try self.init(FileReader(descriptor: descriptor, name: "the model"), limitBytes: limitBytes)
    }

    /// Maps the regular file at `path` instead of reading it, and follows links. Pages are loaded when they are used,
    /// and processes that map the same file share them.
    ///
    /// Only for files that are never written to again, such as those of a store that names files by their contents and
    /// replaces whole files. If a mapped file is overwritten, the model changes while it is in use. If the file is
    /// truncated, the next access to the missing part ends the process (SIGBUS). Deleting and renaming the file are
    /// safe.
    /// - Throws: The same errors as ``init(contentsOfFile:limitBytes:)``.
    public init(
        mappingImmutableFile path: String, limitBytes: Int = ModelBytes.largestModel
    ) throws(ModelFileError) {
        let descriptor = try FileReader.open(path, followsLinks: true)
        defer { close(descriptor) }
        let file = FileReader(descriptor: descriptor, name: "'\(path)'")
        let state = try Self.checkedState(of: file, limitBytes: limitBytes)
        count = state.size
        storage = try file.map(state.size, padding: Self.alignment)
        isMapped = true
        // From here on, deinit unmaps the memory, also when the next line throws.
        guard try file.state() == state else { throw file.changed }
    }

    /// Copies `bytes`.
    /// - Throws: `empty`; `unreadable` when there is not enough memory.
    public init(copying bytes: some Collection<UInt8>) throws(ModelFileError) {
        count = bytes.count
        guard count > 0 else { throw ModelFileError(.empty, "the model has no bytes") }
        storage = try Self.allocate(count)
        isMapped = false
        let target = UnsafeMutableRawBufferPointer(start: storage, count: count)
        let wasCopied = bytes.withContiguousStorageIfAvailable {
            target.copyMemory(from: UnsafeRawBufferPointer($0))
            return true
        }
        if wasCopied == nil { target.copyBytes(from: bytes) }
    }

    /// - Parameters:
    ///   - count: The number of bytes, above 0.
    ///   - fill: Writes all of the bytes.
    init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) throws(ModelFileError) {
        self.count = count
        storage = try Self.allocate(count)
        isMapped = false
        fill(UnsafeMutableRawBufferPointer(start: storage, count: count))
    }

    private init(_ file: FileReader, limitBytes: Int) throws(ModelFileError) {
        let state = try Self.checkedState(of: file, limitBytes: limitBytes)
        count = state.size
        storage = try Self.allocate(count)
        isMapped = false
        // From here on, deinit frees the memory, also when the lines below throw.
        try file.fill(UnsafeMutableRawBufferPointer(start: storage, count: count))
        guard try file.state() == state else { throw file.changed }
    }

    deinit {
        if isMapped {
            munmap(storage, count + Self.alignment)
        } else {
            free(storage)
        }
    }

    /// Lends the bytes, without the padding, during the call.
    public func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: storage, count: count))
    }

    private static func checkedState(of file: FileReader, limitBytes: Int) throws(ModelFileError) -> FileReader.State {
        let state = try file.state()
        guard state.size > 0 else { throw ModelFileError(.empty, "\(file.name) has no bytes") }
        // The second bound ensures that the size plus the padding fits into an integer, whatever the caller's limit.
        guard state.size <= min(limitBytes, Int.max - alignment) else {
            throw ModelFileError(
                .tooLarge, "\(file.name) has \(state.size) bytes; at most \(limitBytes) are accepted")
        }
        return state
    }

    /// Allocates aligned memory for `count` bytes, and zeroes the padding.
    private static func allocate(_ count: Int) throws(ModelFileError) -> UnsafeMutableRawPointer {
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, alignment, count + alignment) == 0, let memory else {
            throw ModelFileError(.unreadable, "there is not enough memory for a model of \(count) bytes")
        }
        memset(memory + count, 0, alignment)
        return memory
    }
}

import HearthConcurrency
import HearthFiles

/// A device's disk, which a test can make fail. Use it from any thread.
public final class TestDisk: Sendable {
    private struct State {
        var fault: DiskFault?
        var remainingBytes = 0
    }

    private let state = Lock(State())

    init() {}

    /// Makes the disk fail from now on. Replaces an earlier fault.
    public func fail(with fault: DiskFault) {
        state.withLock { $0 = State(fault: fault, remainingBytes: fault.remainingBytes ?? 0) }
    }

    /// Ends the fault: the disk works again.
    public func endFaults() { state.withLock { $0 = State() } }

    /// Called before every change of the disk; `bytes` are to be written.
    func check(_ operation: String, _ path: String, bytes: Int = 0) throws(FileError) {
        let error: FileError? = state.withLock { state in
            guard let fault = state.fault else { return nil }
            if fault.remainingBytes != nil, bytes <= state.remainingBytes {
                state.remainingBytes -= bytes
                return nil
            }
            return fault.error(operation, path)
        }
        if let error { throw error }
    }

    /// The free bytes that the disk reports; nil for the real number.
    var reportedFreeBytes: UInt64? { state.withLock { $0.fault?.freeBytes } }
}

/// A fault of a device's disk: see ``TestDisk/fail(with:)``.
public struct DiskFault: Sendable, CustomStringConvertible {
    /// The call that made the fault, for the output of tests.
    public let description: String
    /// The error code of changes; nil when changes work.
    let failure: FileError.Code?
    private let reason: String
    /// How many bytes can still be written; nil when no change is possible.
    let remainingBytes: Int?
    /// The free bytes that the disk reports; nil for the real number.
    let freeBytes: UInt64?

    private init(
        _ description: String, _ failure: FileError.Code?, _ reason: String = "", remainingBytes: Int? = nil,
        freeBytes: UInt64? = nil
    ) {
        (self.description, self.failure, self.reason) = (description, failure, reason)
        (self.remainingBytes, self.freeBytes) = (remainingBytes, freeBytes)
    }

    /// The error of a failing operation; nil when operations work.
    func error(_ operation: String, _ path: String) -> FileError? {
        failure.map { FileError($0, "Cannot \(operation) \(path): \(reason)") }
    }

    /// The disk is full after this many further bytes. The fault is unexpected, as when another program fills the disk:
    /// the disk reports enough free bytes.
    public static func full(afterBytes count: Int = 0) -> DiskFault {
        DiskFault("full(afterBytes: \(count))", .noSpace, "No space left on device", remainingBytes: max(0, count))
    }

    /// The disk reports this many free bytes.
    public static func almostFull(freeBytes count: Int) -> DiskFault {
        DiskFault("almostFull(freeBytes: \(count))", nil, freeBytes: UInt64(max(0, count)))
    }

    /// Changes are impossible.
    public static let readOnly = DiskFault("readOnly", .notPermitted, "Read-only file system")

    /// Every change fails, as on a damaged disk. Existing files can be read.
    public static let broken = DiskFault("broken", .io, "Input/output error")
}

/// The operations of a ``TestDisk``: real ones while there is no fault.
struct TestFiles: FileOperations {
    let base: any FileOperations
    let disk: TestDisk

    func makeFolder(_ path: String, mode: UInt32) throws(FileError) {
        // An existing folder needs no change, even on a full or read-only disk.
        guard (try? base.list(path)) == nil else { return }
        try disk.check("make the folder", path)
        try base.makeFolder(path, mode: mode)
    }

    func createFile(_ path: String, mode: UInt32) throws(FileError) -> any WritableFile {
        try disk.check("create", path)
        return TestFile(try base.createFile(path, mode: mode), path: path, disk: disk)
    }

    func appendFile(_ path: String, mode: UInt32) throws(FileError) -> (any WritableFile)? {
        try disk.check("open", path)
        return try base.appendFile(path, mode: mode).map { TestFile($0, path: path, disk: disk) }
    }

    func rename(_ source: String, to target: String) throws(FileError) {
        try disk.check("rename a file to", target)
        try base.rename(source, to: target)
    }

    func synchronizeFolder(_ path: String) throws(FileError) {
        try disk.check("synchronise the folder", path)
        try base.synchronizeFolder(path)
    }

    func remove(_ path: String) throws(FileError) {
        try disk.check("remove", path)
        try base.remove(path)
    }

    func read(_ path: String, limitBytes: Int) throws(FileError) -> [UInt8] {
        try base.read(path, limitBytes: limitBytes)
    }

    func size(_ path: String) throws(FileError) -> UInt64? { try base.size(path) }
    func list(_ path: String) throws(FileError) -> [String] { try base.list(path) }
    func freeBytes(_ folder: String) throws(FileError) -> UInt64 {
        let free = try base.freeBytes(folder)
        return disk.reportedFreeBytes ?? free
    }

    func note(_ mark: String) { base.note(mark) }
}

/// Used by one thread at a time, as every writable file.
private final class TestFile: WritableFile {
    private let base: any WritableFile
    private let path: String
    private let disk: TestDisk

    init(_ base: any WritableFile, path: String, disk: TestDisk) {
        (self.base, self.path, self.disk) = (base, path, disk)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try disk.check("write to", path, bytes: bytes.count)
        try base.write(bytes)
    }

    func synchronize() throws(FileError) {
        try disk.check("synchronise", path)
        try base.synchronize()
    }

    func truncate(to size: UInt64) throws(FileError) {
        try disk.check("cut", path)
        try base.truncate(to: size)
    }

    var isInPlace: Bool { base.isInPlace }
}

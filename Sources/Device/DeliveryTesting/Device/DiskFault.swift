import HearthFiles

/// Something that goes wrong with a device's disk: see ``TestDisk/fail(with:)``.
public struct DiskFault: Sendable, CustomStringConvertible {
    /// The call that made it, for the output of tests.
    public let description: String
    /// With what changes of the disk fail; nil when they do not.
    let failure: FileError.Code?
    private let reason: String
    /// How many bytes can still be written; nil when nothing at all can be changed.
    let roomBytes: Int?
    /// What the disk says is free; nil for the truth.
    let freeBytes: UInt64?

    private init(
        _ description: String, _ failure: FileError.Code?, _ reason: String = "", roomBytes: Int? = nil,
        freeBytes: UInt64? = nil
    ) {
        (self.description, self.failure, self.reason) = (description, failure, reason)
        (self.roomBytes, self.freeBytes) = (roomBytes, freeBytes)
    }

    /// The error of an operation that fails; nil when it does not.
    func error(_ operation: String, _ path: String) -> FileError? {
        failure.map { FileError($0, "Cannot \(operation) \(path): \(reason)") }
    }

    /// So many bytes more can be written; then the disk is full. It comes as a surprise, as when another program fills the disk
    /// meanwhile: the disk says that it has room.
    public static func full(afterBytes count: Int = 0) -> DiskFault {
        DiskFault("full(afterBytes: \(count))", .noSpace, "No space left on device", roomBytes: max(0, count))
    }

    /// The disk says that it has so many bytes free, and no more.
    public static func almostFull(freeBytes count: Int) -> DiskFault {
        DiskFault("almostFull(freeBytes: \(count))", nil, freeBytes: UInt64(max(0, count)))
    }

    /// Nothing can be changed.
    public static let readOnly = DiskFault("readOnly", .notPermitted, "Read-only file system")

    /// Every change fails, as on a disk that breaks. What is there can be read.
    public static let broken = DiskFault("broken", .io, "Input/output error")
}

import HearthFiles

/// Something that goes wrong with a device's disk: see ``TestDisk/fail(with:)``.
public struct DiskFault: Sendable, CustomStringConvertible {
    /// The call that made it, for the output of tests.
    public let description: String
    let code: FileError.Code
    let reason: String
    /// How many bytes can still be written; nil when nothing at all can be changed.
    let roomBytes: Int?

    private init(_ description: String, _ code: FileError.Code, _ reason: String, roomBytes: Int? = nil) {
        (self.description, self.code, self.reason, self.roomBytes) = (description, code, reason, roomBytes)
    }

    /// There is room for so many bytes more; then the disk is full.
    public static func full(afterBytes count: Int = 0) -> DiskFault {
        DiskFault("full(afterBytes: \(count))", .noSpace, "No space left on device", roomBytes: max(0, count))
    }

    /// Nothing can be changed.
    public static let readOnly = DiskFault("readOnly", .notPermitted, "Read-only file system")

    /// Every change fails, as on a disk that breaks. What is there can be read.
    public static let broken = DiskFault("broken", .io, "Input/output error")
}

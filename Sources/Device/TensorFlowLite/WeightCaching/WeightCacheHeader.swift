import Foundation

/// What the first bytes of a weight cache file say: version, place and size of the table at its end, in 64 bits each.
/// The engine writes them last.
enum WeightCacheHeader {
    private static let byteCount = 32
    private static let version: UInt64 = 4

    /// Whether there is such a file, whole, in the format of this engine, that only its owner writes to.
    static func isComplete(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0
        else { return false }
        return isComplete(descriptor)
    }

    /// Whether an open file is whole and in the format of this engine.
    static func isComplete(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        var header = [UInt64](repeating: 0, count: byteCount / 8)
        let count = header.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count == byteCount, header[0] == version else { return false }
        let (end, overflow) = header[1].addingReportingOverflow(header[2])
        return !overflow && header[1] >= byteCount && header[2] > 0 && end == UInt64(status.st_size)
    }
}

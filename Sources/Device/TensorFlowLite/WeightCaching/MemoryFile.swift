import CLiteRT
import Foundation

/// Owns a file that is in memory only and goes with the process. No disk can be too full for it, no other process knows
/// its name, and nothing of it is left after a crash.
final class MemoryFile: Sendable {
    let descriptor: Int32

    /// A name for it that this process may open, and no other.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// - Parameter capacity: How many bytes it may come to hold.
    init(capacity: Int) throws(SystemError) {
        // The limit holds for files in memory too, and reaching it ends the process.
        var limit = rlimit()
        if getrlimit(fileSizeLimit, &limit) == 0, limit.rlim_cur < capacity { throw SystemError(number: EFBIG) }
        #if os(Linux)
            descriptor = try SystemError.check(
                hearth_create_memory_file("hearth-weights", UInt32(kHearthMemoryFileCloseOnExec)))
        #else
            throw SystemError(number: ENOTSUP)
        #endif
        // As the engine will: it ends the process where /proc is missing or no descriptor is left.
        let another = open(path, O_RDWR | O_CLOEXEC)
        guard another >= 0 else { throw SystemError(number: errno) }  // and `deinit` closes the file
        close(another)
    }

    deinit {
        close(descriptor)
    }

    /// Writes all of it to the end of another file.
    func copy(to other: Int32) throws(SystemError) {
        var block = [UInt8](repeating: 0, count: 1 << 20)
        var position = 0
        while true {
            let count = block.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(position)) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SystemError(number: errno) }
            if count == 0 { return }
            try Self.write(block[..<count], to: other)
            position += count
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw SystemError(number: count < 0 ? errno : EIO) }
            rest = rest.dropFirst(count)
        }
    }
}

#if canImport(Glibc)
    private let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
    private let fileSizeLimit = RLIMIT_FSIZE
#endif

/// Why a call of the operating system failed.
struct SystemError: Error, CustomStringConvertible {
    /// The `errno` that the call left.
    let number: Int32

    var description: String { String(cString: strerror(number)) }

    /// - Returns: What the call returned, if that was no error.
    @discardableResult
    static func check(_ result: Int32) throws(SystemError) -> Int32 {
        guard result >= 0 else { throw SystemError(number: errno) }
        return result
    }
}

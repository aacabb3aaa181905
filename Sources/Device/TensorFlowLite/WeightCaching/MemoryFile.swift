import CLiteRT
import Foundation

/// Owns a file that exists only in memory and ends with the process. A full disk cannot affect it, no other process
/// knows its name, and a crash leaves nothing of it.
final class MemoryFile: Sendable {
    let descriptor: Int32

    /// A path to the file that only this process can open.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// - Parameter capacity: The most bytes that the file may hold.
    init(capacity: Int) throws(SystemError) {
        // The limit also applies to files in memory, and exceeding it ends the process.
        var limit = rlimit()
        if getrlimit(fileSizeLimit, &limit) == 0, limit.rlim_cur < capacity { throw SystemError(number: EFBIG) }
        #if os(Linux)
            descriptor = try SystemError.check(
                hearth_create_memory_file("hearth-weights", UInt32(kHearthMemoryFileCloseOnExec)))
        #else
            throw SystemError(number: ENOTSUP)
        #endif
        // Opens the path as the engine will, because the engine ends the process where /proc is missing or no
        // descriptor is free.
        let another = open(path, O_RDWR | O_CLOEXEC)
        guard another >= 0 else { throw SystemError(number: errno) }  // and `deinit` closes the file
        close(another)
    }

    deinit {
        close(descriptor)
    }

    /// Writes the whole file to the end of another file.
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

/// Why a call to the operating system failed.
struct SystemError: Error, CustomStringConvertible {
    /// The `errno` after the call.
    let number: Int32

    var description: String { String(cString: strerror(number)) }

    /// - Returns: The result of the call, if it is not an error.
    @discardableResult
    static func check(_ result: Int32) throws(SystemError) -> Int32 {
        guard result >= 0 else { throw SystemError(number: errno) }
        return result
    }
}

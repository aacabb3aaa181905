import Glibc

/// The memory of this process, to be asked inside the cage, where nothing can be opened.
///
/// Not `getrusage`: what it calls the peak includes that of the program which started this one, for as long as that
/// shared its memory with it.
final class OwnMemory {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let status: Int32

    /// Opens `/proc/self/status`, which the cage leaves open.
    init() throws(Failure) {
        status = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard status >= 0 else {
            throw Failure(description: "cannot open /proc/self/status: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(status) }

    /// The most bytes of RAM that this process has held so far; nil where the system does not tell.
    var peakBytes: Int? {
        var text = [UInt8](repeating: 0, count: 16_384)
        let count = text.withUnsafeMutableBytes { pread(status, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return nil }
        return Self.peakBytes(in: String(decoding: text[..<count], as: UTF8.self))
    }

    /// - Parameter status: Lines such as `VmHWM:      5120 kB`.
    private static func peakBytes(in status: String) -> Int? {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, words[2] == "kB" else { return nil }
        return Int(words[1]).map { $0 << 10 }
    }
}

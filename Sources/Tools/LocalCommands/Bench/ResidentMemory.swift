import Foundation

/// The memory of this process that is in RAM.
enum ResidentMemory {
    /// The most there has been so far, in bytes. Nil where the system does not tell. Wraps `VmHWM` of
    /// `/proc/self/status`.
    static func peak() -> UInt64? {
        FileManager.default.contents(atPath: "/proc/self/status").flatMap {
            peak(inStatus: String(decoding: $0, as: UTF8.self))
        }
    }

    /// - Parameter status: Lines such as `VmHWM:      5120 kB`.
    static func peak(inStatus status: String) -> UInt64? {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, words[2] == "kB", let kibibytes = UInt64(words[1]) else { return nil }
        let (bytes, overflow) = kibibytes.multipliedReportingOverflow(by: 1024)
        return overflow ? nil : bytes
    }
}

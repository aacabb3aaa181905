import Foundation
import Glibc

/// How far the resident memory of this process has risen above what it was. Sanitizers keep freed memory, so under
/// them there is no answer.
struct PeakMemory {
    private let start: Int?

    init() {
        let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
        // Writing 5 resets the peak to the present value.
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        start = isSanitized ? nil : Self.peak
    }

    var grownBytes: Int? {
        guard let start, let peak = Self.peak else { return nil }
        return peak - start
    }

    private static var peak: Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropLast().last.flatMap { Int($0) }.map { $0 * 1024 }
    }
}

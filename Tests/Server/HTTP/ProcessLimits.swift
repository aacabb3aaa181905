import Foundation
import Glibc

/// What the test's process has and may have.
enum ProcessLimits {
    /// A thousand, or what the limit on descriptors allows: each connection takes one at either end.
    static var manyConnections: Int {
        var files = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        return min(1000, Int(clamping: files.rlim_cur) / 2 - 100)
    }

    static var threadCount: Int {
        var count = 0
        guard let folder = opendir("/proc/self/task") else { return 0 }
        while readdir(folder) != nil { count += 1 }
        closedir(folder)
        return count
    }
}

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

/// Runs a program that scripts/bootstrap installs.
enum Program {
    /// Exit status and standard output.
    static func run(_ name: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/" + name)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }
}

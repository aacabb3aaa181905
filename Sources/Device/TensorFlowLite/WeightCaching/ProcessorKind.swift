import Foundation

/// What tells processors apart for which XNNPACK arranges weights in different ways.
enum ProcessorKind {
    /// The architecture and, where the system tells them, the instruction sets.
    static let text: String = {
        let file = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let features = file.split(separator: "\n").first { $0.hasPrefix("flags") || $0.hasPrefix("Features") }
        return "\(architecture), \(features ?? "")"
    }()

    private static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "other"
        #endif
    }
}

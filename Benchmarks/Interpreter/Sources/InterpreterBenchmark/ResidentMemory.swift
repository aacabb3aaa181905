import BenchmarkParts
import Foundation

/// The memory that this process has to itself.
enum ResidentMemory {
    /// KiB of resident pages that are no file's. From `smaps_rollup`, which counts them; the numbers in `status` are
    /// approximate, by hundreds of KiB.
    static func anonymousKiB() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)
        for line in text.split(separator: "\n") where line.hasPrefix("Anonymous:") {
            if let number = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) { return number }
        }
        throw BenchmarkError("this system does not say how much memory is resident")
    }
}

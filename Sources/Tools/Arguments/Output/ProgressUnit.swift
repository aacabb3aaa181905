import Foundation

/// What a progress line counts.
public enum ProgressUnit: Sendable {
    /// Shown in MiB.
    case bytes
    /// Whole things, such as files.
    case pieces

    private static let bytesPerMiB = 1_048_576.0

    func text(_ count: UInt64) -> String {
        switch self {
        case .bytes: String(format: "%.1f", Double(count) / Self.bytesPerMiB)
        case .pieces: "\(count)"
        }
    }

    var suffix: String {
        switch self {
        case .bytes: " MiB"
        case .pieces: ""
        }
    }

    func rate(_ perSecond: Double) -> String {
        switch self {
        case .bytes: String(format: "%.1f MiB/s", perSecond / Self.bytesPerMiB)
        case .pieces: String(format: "%.1f/s", perSecond)
        }
    }
}

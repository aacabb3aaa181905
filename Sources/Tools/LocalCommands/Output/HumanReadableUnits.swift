import Foundation
import HearthDrawing

/// Sizes as text.
package enum ByteCount {
    package static func text(_ bytes: UInt64) -> String {
        switch bytes {
        case ..<1024: "\(bytes) B"
        case ..<(1 << 20): tenths(bytes, 10) + " KiB"
        case ..<(1 << 30): tenths(bytes, 20) + " MiB"
        default: tenths(bytes, 30) + " GiB"
        }
    }

    /// `bytes / 2^shift` with one decimal, not rounded.
    private static func tenths(_ bytes: UInt64, _ shift: UInt64) -> String {
        let whole = bytes >> shift
        let rest = bytes & ((1 << shift) - 1)
        return "\(whole).\((rest * 10) >> shift)"
    }
}

/// The unit of a displayed time.
enum DurationUnit: String {
    case microseconds = "us"
    case milliseconds = "ms"
    case seconds = "s"

    /// The largest unit of which `duration` is at least one.
    init(fitting duration: Duration) {
        switch duration {
        case ..<Duration.milliseconds(1): self = .microseconds
        case ..<Duration.seconds(1): self = .milliseconds
        default: self = .seconds
        }
    }

    /// `duration` in this unit, such as `12.34 ms`.
    func text(_ duration: Duration) -> String {
        let scale: Duration =
            switch self {
            case .microseconds: .microseconds(1)
            case .milliseconds: .milliseconds(1)
            case .seconds: .seconds(1)
            }
        return String(format: "%.2f %@", duration / scale, rawValue)
    }
}

extension Duration {
    /// As text, in a suitable unit.
    package var text: String { DurationUnit(fitting: self).text(self) }

    /// In nanoseconds, without fractions.
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}

/// Confidences as text, with the same digits as on drawn images.
enum Percent {
    /// In percent, padded to the width of 100 %.
    static func text(_ share: Float) -> String {
        let number = ConfidenceText.percent(share) ?? "?"
        return String(repeating: " ", count: max(0, 5 - number.utf8.count)) + number + " %"
    }

    /// Whether the text is 0.0 %.
    static func isZero(_ share: Float) -> Bool { ConfidenceText.percent(share) == ConfidenceText.percent(0) }
}

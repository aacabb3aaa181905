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
extension ConfidenceForm {
    /// `  87.4 %` or `   8.15`, padded to the width of 100 %.
    func text(_ score: Float) -> String {
        let digits = digits(score) ?? "?"
        let text = self == .percent ? "\(digits) %" : digits
        return String(repeating: " ", count: max(0, 7 - text.utf8.count)) + text
    }

    /// Whether the text is 0.0 %.
    func isZeroPercent(_ score: Float) -> Bool { self == .percent && digits(score) == digits(0) }
}

/// Confidences in the cells of a table.
package struct ConfidenceCells: Sendable {
    private let form: ConfidenceForm

    /// - Parameter confidences: all that the table shows.
    package init(_ confidences: some Sequence<Double>) {
        form = ConfidenceForm(for: confidences.map { Float($0) })
    }

    /// `87.4%` or `8.15`.
    package func text(_ confidence: Double) -> String {
        let digits = form.digits(Float(confidence)) ?? "?"
        return form == .percent ? "\(digits)%" : digits
    }

    /// `+1.5 points`, which are hundredths, or `+0.15`.
    package func change(_ difference: Double) -> String {
        form == .percent ? String(format: "%+.1f points", difference * 100) : String(format: "%+.2f", difference)
    }
}

import Foundation

/// The unit in which people read a time.
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
    /// For people, in the unit that fits.
    package var text: String { DurationUnit(fitting: self).text(self) }

    /// For programs, without the part below a nanosecond.
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}

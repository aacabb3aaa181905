import HearthArguments
import HearthWire

/// A duration on the command line: `90s`, `30m`, `12h`, `30d`, `2w`.
struct DurationArgument: ExpressibleByArgument, ValueExpectation, Equatable {
    let seconds: Int64

    init?(argument: String) {
        guard let seconds = Self.seconds(argument[...]) else { return nil }
        self.seconds = seconds
    }

    static let expectation = "a whole number with its unit, s, m, h, d or w, such as 30d; at most 3650d"

    init(seconds: Int64) { self.seconds = seconds }

    var defaultValueDescription: String { text }

    /// As the argument is written, in the largest unit that fits: `30m`.
    var text: String {
        let fitting = Self.units.filter { seconds % $0.seconds == 0 }
        let unit = fitting.last ?? Self.units[0]
        return "\(seconds / unit.seconds)\(unit.letter)"
    }

    private static let units: [(letter: Character, seconds: Int64)] = [
        ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("w", 604_800),
    ]
    /// Ten years; a longer one is a typing mistake.
    private static let longestSeconds: Int64 = 3650 * 86_400

    /// A whole number and its unit; nil for anything else, and for more than ten years.
    static func seconds(_ text: Substring) -> Int64? {
        guard let letter = text.last, let unit = units.first(where: { $0.letter == letter }) else { return nil }
        let digits = text.dropLast()
        guard (1...10).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int64(digits)
        else { return nil }
        let (seconds, overflow) = count.multipliedReportingOverflow(by: unit.seconds)
        return overflow || seconds > longestSeconds ? nil : seconds
    }
}

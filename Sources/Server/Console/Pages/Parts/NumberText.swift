import Foundation

/// Numbers for people.
enum NumberText {
    /// `1,234,567`.
    static func count(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + text
    }

    /// `1 model`, `1,234 models`: a number with its noun.
    ///
    /// - Parameters:
    ///   - noun: in the singular.
    ///   - plural: nil for the noun with an `s`.
    static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(count(number)) \(self.noun(number, noun, plural: plural))"
    }

    /// The noun alone, for a number that stands in another element.
    static func noun(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        number == 1 ? noun : plural ?? noun + "s"
    }

    /// `3.4 MiB`, with one decimal and not rounded: as the command line shows the same size.
    static func bytes(_ count: Int64) -> String {
        let units = ["KiB", "MiB", "GiB"]
        guard count >= 1024 else { return self.count(Int(count), "byte") }
        let unit = min(units.count, (63 - count.leadingZeroBitCount) / 10)
        let whole = count >> (10 * unit)
        let tenths = ((count >> (10 * (unit - 1))) % 1024) * 10 / 1024
        return "\(whole).\(tenths) \(units[unit - 1])"
    }

    /// `1.25 ms`, of microseconds.
    static func milliseconds(_ microseconds: Int) -> String {
        let value = Double(microseconds) / 1000
        return "\(decimal(value, value < 10 ? 2 : 0)) ms"
    }

    /// `12.5 %` of a share from 0 to 1.
    static func percent(_ share: Double, _ digits: Int = 1) -> String { "\(decimal(share * 100, digits)) %" }

    /// With a point, and at most so many digits behind it.
    static func decimal(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite else { return "–" }
        var text = String(format: "%.\(digits)f", value)
        while text.contains("."), text.hasSuffix("0") || text.hasSuffix(".") {
            let wasPoint = text.hasSuffix(".")
            text.removeLast()
            if wasPoint { break }
        }
        return text == "-0" ? "0" : text
    }
}

/// Confidences for people: as percentages if all of them are shares of 1, else as they are, because logits would look
/// like impossible percentages.
struct ConfidenceText {
    private let areShares: Bool

    /// A quantized probability may be a few steps of 1/256 below 0 or above 1.
    private static let shares = -0.02...1.02

    /// - Parameter confidences: all that are shown together.
    init(_ confidences: some Sequence<Double>) {
        areShares = confidences.allSatisfy(Self.shares.contains)
    }

    /// `71.9 %` or `8.15`.
    func text(_ confidence: Double) -> String {
        areShares ? NumberText.percent(confidence) : NumberText.decimal(confidence, 2)
    }
}

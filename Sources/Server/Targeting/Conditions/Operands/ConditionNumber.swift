import HearthWire

/// A decimal number of a condition or of a device: `7`, `-7.50`, `1e-3`. Numbers are compared digit by digit, because ids of
/// users have more digits than a `Double` can tell apart.
struct ConditionNumber: Sendable, Hashable {
    private let isNegative: Bool
    /// Without zeros at either end, so that equal numbers have the same digits. Empty for 0.
    private let digits: [UInt8]
    /// How many digits stand before the decimal point; below 0 for zeros behind it.
    private let point: Int

    private static let zero = UInt8(ascii: "0")
    private static let decimalPoint = UInt8(ascii: ".")
    /// Enough for each `Double`, which devices write in this form.
    private static let exponents = -999...999

    /// The nearest one.
    var value: Double { Double(description) ?? .nan }

    /// Nil for a text that is not a decimal number.
    init?(_ text: some StringProtocol) {
        var rest = Array(text.utf8)[...]
        let sign = rest.first.flatMap { "+-".utf8.contains($0) ? $0 : nil }
        if sign != nil { rest.removeFirst() }
        let decimals = rest.prefix { ASCII.isDigit($0) || $0 == Self.decimalPoint }
        guard let exponent = Self.exponent(rest.dropFirst(decimals.count)) else { return nil }
        let written = decimals.filter { $0 != Self.decimalPoint }
        guard !written.isEmpty, decimals.count <= written.count + 1 else { return nil }
        let first = written.firstIndex { $0 != Self.zero }
        let last = written.lastIndex { $0 != Self.zero }
        if let first, let last {
            digits = Array(written[first...last])
            point = decimals.prefix { $0 != Self.decimalPoint }.count - first + exponent
        } else {
            (digits, point) = ([], 0)
        }
        isNegative = sign == UInt8(ascii: "-") && !digits.isEmpty
    }

    /// Of the text behind the digits; nil if it is something else.
    private static func exponent(_ text: ArraySlice<UInt8>) -> Int? {
        guard let mark = text.first else { return 0 }
        guard "eE".utf8.contains(mark), let exponent = Int(String(decoding: text.dropFirst(), as: UTF8.self)),
            exponents.contains(exponent)
        else { return nil }
        return exponent
    }
}

extension ConditionNumber: Comparable {
    static func < (left: ConditionNumber, right: ConditionNumber) -> Bool {
        guard left.isNegative == right.isNegative else { return left.isNegative }
        return left.isNegative ? right.isCloserToZero(than: left) : left.isCloserToZero(than: right)
    }

    private func isCloserToZero(than other: ConditionNumber) -> Bool {
        guard !digits.isEmpty, !other.digits.isEmpty else { return digits.isEmpty && !other.digits.isEmpty }
        return point == other.point ? digits.lexicographicallyPrecedes(other.digits) : point < other.point
    }
}

extension ConditionNumber: CustomStringConvertible {
    /// Whole numbers have no decimal point.
    var description: String {
        let text = String(decoding: digits, as: UTF8.self)
        func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
        let size =
            if digits.isEmpty {
                "0"
            } else if point <= 0 {
                "0." + zeros(-point) + text
            } else if point >= digits.count {
                text + zeros(point - digits.count)
            } else {
                "\(text.prefix(point)).\(text.dropFirst(point))"
            }
        return (isNegative ? "-" : "") + size
    }
}

/// A number of a condition or of a device. Numbers that are written as whole numbers are compared exactly, because ids of
/// users have more digits than a `Double` can tell apart.
struct ConditionNumber: Sendable, Hashable {
    let value: Double
    /// Nil unless the number is written as a whole number of at most 38 digits.
    private let whole: Int128?

    /// Nil for a text that is not a finite number. `nan` parses as a number that is unequal to all numbers.
    init?(_ text: some StringProtocol) {
        guard let value = Double(text), value.isFinite else { return nil }
        self.value = value
        whole = Int128(text)
    }
}

extension ConditionNumber: Comparable {
    static func < (left: ConditionNumber, right: ConditionNumber) -> Bool {
        if let one = left.whole, let other = right.whole { return one < other }
        return left.value < right.value
    }

    static func == (left: ConditionNumber, right: ConditionNumber) -> Bool {
        if let one = left.whole, let other = right.whole { return one == other }
        return left.value == right.value
    }

    // Numbers that are equal have the same value, also where only one of them is written as a whole number.
    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension ConditionNumber: CustomStringConvertible {
    /// Whole numbers have no decimal point.
    var description: String { whole.map(String.init) ?? Int64(exactly: value).map(String.init) ?? String(value) }
}

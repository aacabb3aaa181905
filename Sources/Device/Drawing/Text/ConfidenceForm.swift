/// How the scores of one answer are shown to people, by one rule for images and for the output of commands.
package enum ConfidenceForm: Sendable {
    /// For shares of 1, as probabilities are.
    case percent
    /// For all other scores, such as logits. They would look like impossible percentages.
    case number

    /// A quantized probability may be a few steps of 1/256 below 0 or above 1.
    private static let shares: ClosedRange<Float> = -0.02...1.02

    /// - Parameter scores: All scores of the answer. Those that are not finite numbers do not count.
    package init(for scores: some Sequence<Float>) {
        self = scores.allSatisfy { !$0.isFinite || Self.shares.contains($0) } ? .percent : .number
    }

    /// In percent with one decimal, `87.4`, or as a number with two, `8.15`. nil for a value that is not a number, or
    /// that is too large to be shown.
    ///
    /// Faster than Foundation's formatting, which first loads much data.
    package func digits(_ score: Float) -> String? {
        guard score.isFinite, abs(score) < (self == .percent ? 1000 : 1e9) else { return nil }
        switch self {
        case .percent: return Self.decimal(Int((Double(score) * 1000).rounded(.toNearestOrEven)), places: 1)
        case .number: return Self.decimal(Int((Double(score) * 100).rounded(.toNearestOrEven)), places: 2)
        }
    }

    /// - Parameter value: The number without its point.
    private static func decimal(_ value: Int, places: Int) -> String {
        let digits = String(abs(value))
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return "\(value < 0 ? "-" : "")\(padded.dropLast(places)).\(padded.suffix(places))"
    }
}

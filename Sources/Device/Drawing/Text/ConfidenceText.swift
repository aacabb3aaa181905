/// Confidences for people: the one rule by which they are rounded, on pictures and where commands print them.
package enum ConfidenceText {
    /// In percent with one decimal: `87.4`. Nil for what is no number, or so large that it cannot be a share.
    ///
    /// Quicker than Foundation's formatting, which loads a lot first.
    package static func percent(_ share: Float) -> String? {
        guard share.isFinite, abs(share) < 1000 else { return nil }
        let tenths = Int((Double(share) * 1000).rounded(.toNearestOrEven))
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}

import HearthDrawing

/// Confidences for people, with the same digits as on drawn pictures.
enum Percent {
    /// In percent, as wide as 100 %.
    static func text(_ share: Float) -> String {
        let number = ConfidenceText.percent(share) ?? "?"
        return String(repeating: " ", count: max(0, 5 - number.utf8.count)) + number + " %"
    }

    /// Whether it is shown as 0.0 %.
    static func isZero(_ share: Float) -> Bool { ConfidenceText.percent(share) == ConfidenceText.percent(0) }
}

import Foundation

/// Figures of experiments for people.
enum FigureText {
    /// `4.52%`.
    static func percent(_ part: Double, digits: Int = 2) -> String { String(format: "%.\(digits)f%%", part * 100) }

    /// `12.35`, with four digits that count; whole numbers as they are.
    static func number(_ value: Double) -> String {
        abs(value) < 1e15 && value == value.rounded() ? String(format: "%.0f", value) : String(format: "%.4g", value)
    }

    /// `+12.35`.
    static func signed(_ value: Double) -> String { (value < 0 ? "" : "+") + number(value) }

    /// `+15.6%`.
    static func signedPercent(_ part: Double) -> String { String(format: "%+.1f%%", part * 100) }

    /// `0.0321`, `<0.0001`.
    static func probability(_ value: Double) -> String {
        value < 0.0001 ? "<0.0001" : String(format: "%.4f", value)
    }
}

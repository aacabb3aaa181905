import Foundation

/// The text of a progress line: a pure function of what is known.
struct ProgressLine {
    let label: String
    var unit = ProgressUnit.bytes
    let completed: UInt64
    let total: UInt64?
    /// Done since `elapsed` began; fewer than `completed` for a resumed transfer.
    let transferred: UInt64
    let elapsed: Duration

    private static let barWidth = 20
    private static let minimumLabelWidth = 8

    /// As much as fits, most important last to go. The last column stays free: writing into it makes some terminals
    /// wrap.
    func text(columns: Int) -> String {
        let available = max(columns, 1) - 1
        let label = label.singleLine
        let fitting = variants.map { ([label] + $0).filter { !$0.isEmpty }.joined(separator: "  ") }
            .first { $0.displayWidth <= available }
        if let fitting { return fitting }
        let short = percent ?? amount
        let labelWidth = available - short.displayWidth - 2
        if labelWidth >= Self.minimumLabelWidth { return label.truncated(to: labelWidth) + "  " + short }
        return short.displayWidth <= available ? short : ""
    }

    /// What may follow the label, from full to scarce.
    private var variants: [[String]] {
        guard let percent, let bar else { return [[amount, rate], [amount]] }
        return [
            [percent, bar, amount, rate, remaining],
            [percent, amount, rate, remaining],
            [percent, amount, rate],
            [percent, amount],
            [percent],
        ]
    }

    /// Between 0 and 1; `nil` where the total is unknown or senseless.
    private var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return Double(min(completed, total)) / Double(total)
    }

    private var percent: String? {
        fraction.map { String(format: "%3d%%", Int($0 * 100)) }
    }

    private var bar: String? {
        fraction.map {
            let filled = Int($0 * Double(Self.barWidth))
            return "[" + String(repeating: "#", count: filled)
                + String(repeating: "-", count: Self.barWidth - filled) + "]"
        }
    }

    private var amount: String {
        guard let total, total > 0 else { return unit.text(completed) + unit.suffix }
        return unit.text(completed) + "/" + unit.text(total) + unit.suffix
    }

    private var perSecond: Double? {
        let seconds = elapsed / .seconds(1)
        return seconds > 0 && transferred > 0 ? Double(transferred) / seconds : nil
    }

    private var rate: String {
        perSecond.map { unit.rate($0) } ?? ""
    }

    private var remaining: String {
        guard let total, let perSecond else { return "" }
        let seconds = Double(total - min(completed, total)) / perSecond
        // A day is as good as unknown, and keeps the conversion below in range.
        guard seconds < 86_400 else { return "" }
        let whole = Int(seconds.rounded(.up))
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return hours > 0
            ? String(format: "ETA %d:%02d:%02d", hours, minutes, whole % 60)
            : String(format: "ETA %d:%02d", minutes, whole % 60)
    }
}

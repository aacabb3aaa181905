import Foundation

/// The text of a progress line. Pure.
struct ProgressLine {
    let label: String
    var unit = ProgressUnit.bytes
    let completed: UInt64
    let total: UInt64?
    /// The units done since `elapsed` began; fewer than `completed` for a resumed transfer.
    let transferred: UInt64
    let elapsed: Duration

    private static let maximumBarWidth = 20
    private static let minimumBarWidth = 5
    private static let minimumLabelWidth = 8
    private static let gap = 2

    /// As many parts as fit, the most important first. The last column stays free, because some terminals wrap after writing into
    /// it.
    func text(columns: Int) -> String {
        let available = max(columns, 1) - 1
        let label = label.singleLine
        if let percent {
            for more in [[amount, rate, remaining], [amount, rate], [amount], []] {
                if let line = withBar(label, percent, more, available) { return line }
            }
            // A long label leaves the bar less space.
            let room = available - percent.displayWidth - Self.minimumBarWidth - 2 - 2 * Self.gap
            if room >= Self.minimumLabelWidth,
                let line = withBar(label.truncated(to: room), percent, [], available)
            {
                return line
            }
        }
        let short = percent ?? amount
        let fitting = (percent == nil ? [[amount, rate], [amount]] : [[short]]).map { Self.joined([label] + $0) }
            .first { $0.displayWidth <= available }
        if let fitting { return fitting }
        let labelWidth = available - short.displayWidth - Self.gap
        if labelWidth >= Self.minimumLabelWidth { return Self.joined([label.truncated(to: labelWidth), short]) }
        return short.displayWidth <= available ? short : ""
    }

    /// The line with the longest bar that fits; `nil` if there is no space for one.
    private func withBar(_ label: String, _ percent: String, _ more: [String], _ available: Int) -> String? {
        let rest = Self.joined([label, percent] + more).displayWidth
        let length = min(Self.maximumBarWidth, available - rest - Self.gap - 2)
        guard length >= Self.minimumBarWidth, let bar = bar(length) else { return nil }
        return Self.joined([label, percent, bar] + more)
    }

    private static func joined(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: String(repeating: " ", count: gap))
    }

    /// Between 0 and 1; `nil` if the total is unknown or impossible.
    private var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return Double(min(completed, total)) / Double(total)
    }

    private var percent: String? {
        fraction.map { String(format: "%3d%%", Int($0 * 100)) }
    }

    private func bar(_ length: Int) -> String? {
        fraction.map {
            let filled = Int($0 * Double(length))
            return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: length - filled) + "]"
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
        // More than a day counts as unknown, which keeps the conversion below in range.
        guard seconds < 86_400 else { return "" }
        let whole = Int(seconds.rounded(.up))
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return hours > 0
            ? String(format: "ETA %d:%02d:%02d", hours, minutes, whole % 60)
            : String(format: "ETA %d:%02d", minutes, whole % 60)
    }
}

@testable import HearthAPITestSupport

/// A condition, a device of which it is true, and one of which it is not.
struct ConditionCase: Sendable {
    let condition: String
    /// Nil where it is true of no device at all.
    let inside: FetchingDevice?
    /// Nil where it is true of every device.
    let outside: FetchingDevice?

    init(_ condition: String, in inside: FetchingDevice?, out outside: FetchingDevice?) {
        self.condition = condition
        self.inside = inside
        self.outside = outside
    }

    static var all: [ConditionCase] {
        literals + appVersions + appBuilds + apps + firstOpenings + userProperties + customSignals + devices + times
            + percentages + tags + unknown
    }

    private static let literals = [
        ConditionCase("true", in: .web(), out: nil),
        ConditionCase("false", in: nil, out: .web()),
        ConditionCase("true && true", in: .android(), out: nil),
        ConditionCase(
            "device.os == 'ios' && device.country in ['CH'] && app.version.>=(['2'])",
            in: .ios {
                $0.country = "ch"
                $0.version = "2.0"
            }, out: .ios { $0.country = "ch" }),
    ]

    /// The table in Markdown.
    static var markdown: String {
        let rows = all.map { row in
            [
                "`\(row.condition)`", row.inside?.title ?? "no device", row.outside?.title ?? "every device is in",
            ].map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")
        }
        return (["Condition | In | Not in", "--- | --- | ---"] + rows).map { "| \($0) |" }.joined(separator: "\n")
    }
}

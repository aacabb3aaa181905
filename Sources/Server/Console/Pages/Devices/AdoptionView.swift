import HearthCalls
import HearthWire

/// How many installations have which version.
struct AdoptionView {
    private let report: DeviceBodies.Report

    init(_ report: DeviceBodies.Report) { self.report = report }

    var markup: Markup {
        .joined {
            h2 { "Which version devices have" }
            if (report.devices.map(\.count).max() ?? 0) == 0 {
                div(.class("empty")) {
                    p { strong { "No reports yet." } }
                    p {
                        """
                        No installation has asked for this model in the last 28 days. Release a version, and open an \
                        app that has this project’s settings and asks for the model by its name.
                        """
                    }
                }
            } else {
                lines(
                    "By version",
                    report.versions.map {
                        (
                            $0.name == "none"
                                ? "no version" : $0.name == "other" ? "other bytes" : "version \($0.name)", $0.devices
                        )
                    })
                lines("By system", report.systems.map { ($0.name, $0.devices) })
                lines("By version of the app", report.appVersions.map { ($0.name, $0.devices) })
                p(.class("faint")) {
                    "Estimated at "; Times.moment(report.time);
                    ". With ±, the true number is that near in 95 of 100 cases. Days are calendar days in UTC."
                }
            }
        }
    }

    private func lines(_ title: String, _ lines: [(name: String, devices: [DeviceBodies.Estimate])]) -> Markup {
        let most = report.devices.last?.count ?? 0
        return DataTable(
            title,
            [title] + report.devices.map { $0.days == 1 ? "Today" : NumberText.count($0.days, "day") } + [
                "Share of \(NumberText.count(report.devices.last?.days ?? 28, "day"))"
            ],
            showsTitle: false
        ).rows(lines + [("all installations", report.devices)]) { line in
            [.text(line.name)] + line.devices.map { .text(Self.text($0)) } + [
                bar(line.devices.last?.count ?? 0, of: most)
            ]
        }
    }

    private static func text(_ estimate: DeviceBodies.Estimate) -> String {
        NumberText.count(Int(estimate.count))
            + (estimate.margin > 0 ? " ± \(NumberText.count(Int(estimate.margin)))" : "")
    }

    /// The table has the numbers, so the bar is only for the eye.
    private func bar(_ count: Int64, of most: Int64) -> Markup {
        let share = most > 0 ? Double(count) / Double(most) : 0
        return .joined {
            Markup.element(
                "meter",
                [Attribute("min", "0"), Attribute("max", "1"), .value(NumberText.decimal(share, 4)), .label("Share")],
                .text(""))
            " \(NumberText.percent(min(share, 1)))"
        }
    }
}

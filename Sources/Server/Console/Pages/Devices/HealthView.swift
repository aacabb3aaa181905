import HearthCalls
import HearthWire

/// What devices reported about versions.
struct HealthView {
    private let report: HealthBodies.Report

    init(_ report: HealthBodies.Report) { self.report = report }

    func markup(
        _ request: PageRequest, _ link: Link, choices: [(String, String)], chosen: String
    ) -> Markup {
        section(.id("health")) {
            h2 { "What devices report" }
            Markup.element(
                "form", [.class("actions"), .action(link.with(fragment: "health"))],
                .joined {
                    label(for: "hours") { "Period" }
                    select(.id("hours"), .name("hours")) {
                        choices.map { option($0.0, $0.1, isSelected: $0.0 == chosen) }
                    }
                    button { "Show" }
                })
            if !hasReports {
                div(.class("empty")) {
                    p { strong { "No reports in this period." } }
                    p { Self.whoReports }
                }
            } else {
                table
                failures
            }
            p(.class("faint")) {
                "Since "; Times.moment(report.since); ". These are counts of reports, loads and runs, not of devices."
            }
        }
    }

    /// Why there may be no reports, and what to do.
    static let whoReports = Markup.joined {
        "Apps report installations, loads and runs only after "
        code { "Analytics.setModelReportingEnabled(true)" }
        ". Build that call into the app, open it so that it uses the model, and look again after some minutes."
    }

    private var hasReports: Bool {
        report.versions.contains { version in
            version.installed + version.rejected + version.loads + version.runs + version.failedRuns > 0
                || !version.crashes.isEmpty || !version.loadFailures.isEmpty
        }
    }

    private var table: Markup {
        DataTable(
            "Reports by version",
            [
                "Version", "Installed", "Given up", "Loads", "Failed loads", "Runs", "Failed runs", "Crashes",
                "Run time, median", "Run time, 95 %",
            ]
        ).rows(report.versions) { version in
            [
                .text(Self.name(version)), number(version.installed), number(version.rejected), number(version.loads),
                share(version.loadFailures.values.reduce(0, +), of: version.loads),
                number(version.runs), share(version.failedRuns, of: version.runs + version.failedRuns),
                number(version.crashes.values.reduce(0, +)),
                .text(version.runTime.map { NumberText.milliseconds(Int($0.median)) } ?? "–"),
                .text(version.runTime.map { NumberText.milliseconds(Int($0.percentile95)) } ?? "–"),
            ]
        }
    }

    @MarkupBuilder
    private var failures: Markup {
        let lines = report.versions.flatMap { version in
            version.loadFailures.sorted { $0.value > $1.value }.map {
                (Self.name(version), "failed load: \($0.key)", $0.value)
            }
                + version.crashes.sorted { $0.value > $1.value }.map {
                    (Self.name(version), "crash: \($0.key)", $0.value)
                }
        }
        if !lines.isEmpty {
            details {
                summary { "Failures by kind" }
                DataTable("Failures by kind", ["Version", "Kind", "Number"]).rows(lines) { line in
                    [.text(line.0), .text(line.1), number(line.2)]
                }
            }
        }
    }

    private static func name(_ version: HealthBodies.Version) -> String {
        version.version.map { "Version \($0)" } ?? "other bytes"
    }

    private func number(_ count: Int64) -> Markup { .text(NumberText.count(Int(count))) }

    private func share(_ count: Int64, of all: Int64) -> Markup {
        guard count > 0, all > 0 else { return number(count) }
        return .text("\(NumberText.count(Int(count))) (\(NumberText.percent(Double(count) / Double(all), 2)))")
    }
}

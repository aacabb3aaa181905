import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct ModelHealthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Show how the versions of a model load and run on devices, as the devices report it.",
        examples: ["hearth models health flowers", "hearth models health flowers --version 3 --hours 1"])

    @OptionGroup var model: ModelName
    @Option(help: ArgumentHelp("Only this version: a number or an alias.", valueName: "version"))
    var version: VersionArgument?
    @Option(help: ArgumentHelp("The last hours, 1 to 2160; 24 by default.", valueName: "n"))
    var hours: Int?
    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let name = try model.find(client).resourceName()
        let report = try client.health(
            of: name, version: version?.number(of: name, client), hours: hours ?? 24)
        if admin.json { return try Output.json(report) }
        guard !report.versions.isEmpty else {
            return Output.line(
                "No device has reported about '\(model.name)' in \(hours ?? 24) hours. Apps report only after "
                    + "Analytics.setModelReportingEnabled(true).")
        }
        var table = TextTable([
            "VERSION", .number("REPORTS", dropOrder: 3), .number("INSTALLED", dropOrder: 2),
            .number("REJECTED", dropOrder: 1), .number("LOADS"), .text("LOAD FAILURES", isTruncatable: true),
            .number("RUNS"), .number("FAILED RUNS"), .text("CRASHES", isTruncatable: true),
            .number("LOAD TIME", dropOrder: 4), .number("RUN TIME"),
        ])
        for one in report.versions {
            table.append([
                one.version.map(String.init) ?? "other", String(one.reports), String(one.installed),
                String(one.rejected), String(one.loads), Self.codes(one.loadFailures), String(one.runs),
                String(one.failedRuns), Self.codes(one.crashes), Self.times(one.loadTime), Self.times(one.runTime),
            ])
        }
        Output.line(table.text(width: tables.width))
        Output.line(
            "\nTimes are medians / 95th percentiles, within 5 %. Reports, loads and runs are counted, not devices.")
    }

    private static func codes(_ codes: [String: Int64]) -> String {
        codes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }

    private static func times(_ times: HealthBodies.Times?) -> String {
        times.map { "\(text($0.median)) / \(text($0.percentile95))" } ?? "-"
    }

    private static func text(_ microseconds: Int64) -> String {
        microseconds < 1000 ? "\(microseconds) us" : Duration.microseconds(microseconds).text
    }
}

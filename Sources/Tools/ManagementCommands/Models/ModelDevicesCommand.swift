import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct ModelDevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Show how many devices have which version of a model, by the version that they named last.",
        examples: ["hearth models devices flowers", "hearth models devices flowers --json"])

    @OptionGroup var model: ModelName
    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let report = try client.devices(of: try model.find(client).resourceName())
        if admin.json { return try Output.json(report) }
        guard !report.versions.isEmpty else {
            return Output.line(
                "No device has asked for '\(model.name)' in 28 days, or its question is not counted yet: that takes half a minute."
            )
        }
        Output.line(DevicesText(report).text(width: tables.width))
    }
}

/// A report about devices as tables.
struct DevicesText {
    private let report: DeviceBodies.Report

    init(_ report: DeviceBodies.Report) { self.report = report }

    func text(width: Int?) -> String {
        let all = DeviceBodies.Line(name: "all", devices: report.devices)
        let tables = [
            table("VERSION", report.versions + [all]), table("SYSTEM", report.systems),
            table("APP VERSION", report.appVersions),
        ]
        return (tables.map { $0.text(width: width) } + [Self.note(report)]).joined(separator: "\n\n")
    }

    private func table(_ title: String, _ lines: [DeviceBodies.Line]) -> TextTable {
        let days = report.devices.map { $0.days == 1 ? "TODAY" : "\($0.days) DAYS" }
        var table = TextTable(
            [TextTable.Column.text(title, isTruncatable: true)] + days.map { TextTable.Column.number($0) })
        for line in lines { table.append([line.name] + line.devices.map(Self.text)) }
        return table
    }

    private static func text(_ estimate: DeviceBodies.Estimate) -> String {
        estimate.margin == 0 ? String(estimate.count) : "\(estimate.count) ± \(estimate.margin)"
    }

    private static func note(_ report: DeviceBodies.Report) -> String {
        let isExact = report.versions.allSatisfy { $0.devices.allSatisfy { $0.margin == 0 } }
        return "Days are UTC and include today. "
            + (isExact ? "The counts are exact." : "± is the error that 95 of 100 estimates stay within.")
    }
}

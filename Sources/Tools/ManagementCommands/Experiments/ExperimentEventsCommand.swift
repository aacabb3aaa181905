import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthWire

struct ExperimentEventsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "List the events of the last days, with their counts.",
        examples: ["hearth experiments events"])

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let rows = try admin.client().eventSummary()
        if admin.json { return try Output.json(EventBodies.Summary(events: rows)) }
        guard !rows.isEmpty else {
            return Output.line("There are no events. Apps log them with Analytics.logEvent.")
        }
        var table = TextTable([
            "DAY (UTC)", .text("EVENT", isTruncatable: true), .text("MODEL", dropOrder: 1), .number("COUNT"),
            .number("SUM OF VALUES", dropOrder: 2),
        ])
        for row in rows {
            table.append([row.day, row.event, row.model ?? "", String(row.count), ResultNumberText.number(row.sum)])
        }
        Output.line(table.text(width: tables.width))
    }
}

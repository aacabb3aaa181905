import HearthArguments
import HearthLocalCommands
import HearthWire

struct ExperimentEventsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "List the events that devices reported in the last days, with their counts.",
        examples: ["hearth experiments events"])

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let rows = try admin.client().eventSummary()
        if admin.json { return try Output.json(EventBodies.Summary(events: rows)) }
        guard !rows.isEmpty else {
            return Output.line("No events have arrived. Apps log them with Analytics.logEvent.")
        }
        var table = TextTable([
            "DAY (UTC)", .text("EVENT", shrinks: true), .text("MODEL", yields: 1), .number("COUNT"),
            .number("SUM OF VALUES", yields: 2),
        ])
        for row in rows {
            table.append([row.day, row.event, row.model ?? "", String(row.count), FigureText.number(row.sum)])
        }
        Output.line(table.text(width: tables.width))
    }
}

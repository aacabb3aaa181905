import HearthAdmin
import HearthArguments
import HearthLocalCommands

struct ExperimentResultsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results",
        abstract: "Show the results of an experiment so far.",
        discussion: """
            The interval is that of the difference from the control. It leaves out 0 exactly when the p-value is small enough \
            for a verdict, and both are valid however often you look. BEST is the probability that the variant is the best \
            one; it is shown once the test has found the best one. --history shows how the goal moved.
            """,
        examples: [
            "hearth experiments results colours",
            "hearth experiments results colours --history",
            "hearth experiments results colours --json",
        ])

    @OptionGroup var experiment: ExperimentName
    @Flag(help: "Show how the goal moved over time instead.")
    var history = false
    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        guard !history else {
            let history = try admin.client().experimentHistory(experiment.name)
            if admin.json { return try Output.json(history) }
            return Output.line(HistoryText.text(history, width: tables.width))
        }
        let results = try admin.client().experimentResults(experiment.name)
        if admin.json { return try Output.json(results) }
        Output.line(ResultsText(results, width: tables.width).text)
    }
}

struct ExperimentExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print an experiment's data as CSV, with a row for each exposed installation.",
        examples: ["hearth experiments export colours --output colours.csv"])

    @OptionGroup var experiment: ExperimentName

    @OptionGroup var file: OutputOption

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard !admin.json || file.path != nil else {
            throw ValidationError(
                "An export is CSV, not JSON. Give --output FILE for a JSON report of the export, or use "
                    + "`hearth experiments results \(experiment.name) --json`.")
        }
    }

    func run() throws {
        let target = try file.target()
        let client = try admin.client()
        guard let target else {
            return try client.experimentData(experiment.name) { piece in
                if let text = Self.lines(piece) { Output.line(text) }
            }
        }
        var bytes: [UInt8] = []
        try client.experimentData(experiment.name) { bytes += $0 }
        try target.write(bytes)
        try OutputReport(target).print(asJSON: admin.json)
    }

    /// Without the newline at its end; nil without output.
    private static func lines(_ piece: [UInt8]) -> String? {
        let lines = piece.last == UInt8(ascii: "\n") ? piece.dropLast() : piece[...]
        return lines.isEmpty ? nil : String(decoding: lines, as: UTF8.self)
    }
}

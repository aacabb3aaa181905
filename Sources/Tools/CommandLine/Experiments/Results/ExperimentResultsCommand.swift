import HearthArguments
import HearthLocalCommands

struct ExperimentResultsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results",
        abstract: "Show what an experiment has found up to now.",
        discussion: """
            BEST is the probability that the variant is the best one, and the interval holds the true value with a \
            probability of 95%. The p-value is right however often you look.
            """)

    @OptionGroup var experiment: ExperimentName
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let results = try admin.client().experimentResults(experiment.name)
        if admin.json { return try Output.json(results) }
        Output.line(ResultsText(results).text)
    }
}

struct ExperimentExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print an experiment's data as CSV, a row for each installation that took part.")

    @OptionGroup var experiment: ExperimentName

    @Option(help: ArgumentHelp("Write it to this file.", valueName: "file"))
    var output: String?

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let file = try output.map { try OutputFile($0) }
        var bytes = try admin.client().experimentData(experiment.name)
        guard let file else {
            while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
            return Output.line(String(decoding: bytes, as: UTF8.self))
        }
        try file.write(bytes)
        if !file.isStream { Output.line("Wrote \(file.path).") }
    }
}

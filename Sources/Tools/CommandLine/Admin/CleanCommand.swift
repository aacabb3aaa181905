import HearthArguments
import HearthFiles
import HearthLocalCommands
import HearthMaintenance
import HearthStorage
import HearthWire

struct CleanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Show what waits for removal, or allow the removal.",
        discussion: """
            Once an hour the server removes files that no record names, and expired records. If one round would remove too \
            much, such as most of the model files, all of it waits until you allow it here: a wrong database or clock looks the \
            same. A running server removes what you allowed within an hour, a stopped one at its next start.
            """,
        examples: [
            "hearth admin clean",
            "hearth admin clean --confirm 120",
        ])

    @OptionGroup var data: DataOption

    @Option(
        help: ArgumentHelp("Allow the removal of this many: the number that the command shows.", valueName: "count"))
    var confirm: Int?

    func run() throws {
        let layout = DataLayout(data.path)
        guard PathKind(layout.database) == .file else {
            throw CommandFailure("\(layout.path) is not a data folder of a Hearth server: it has no database.")
        }
        let confirmation = RemovalConfirmation(
            waiting: layout.pendingRemovalFile, confirmed: layout.confirmedRemovalFile)
        let waiting = try confirmation.read()
        guard let confirm else {
            Output.line(
                waiting.map { "\($0.count) waiting: \($0.text.printable)" } ?? "Nothing waits in \(layout.path)")
            return
        }
        guard let waiting else { throw CommandFailure("Nothing waits in \(layout.path), so nothing was allowed.") }
        guard waiting.count == confirm else {
            throw CommandFailure(
                "\(waiting.count) wait in \(layout.path), not \(confirm): \(waiting.text.printable). Nothing was allowed."
            )
        }
        try confirmation.confirm(waiting)
        Output.line(
            "Allowed: \(waiting.text.printable). The server removes them in its next round: within an hour, or at its next start"
        )
    }
}

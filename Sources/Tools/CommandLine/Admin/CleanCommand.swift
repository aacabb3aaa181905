import HearthArguments
import HearthFiles
import HearthLocalCommands
import HearthMaintenance
import HearthStorage
import HearthWire

struct CleanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Show what the server waits to remove, or allow it.",
        discussion: """
            Once an hour the server removes what nobody needs any more. What looks like too much at once, such as most of its \
            model files, stays until it is allowed here: a mistaken database or clock looks the same. A running server \
            removes what was allowed within an hour, a stopped one at its next start.
            """,
        examples: [
            "hearth admin clean",
            "hearth admin clean --confirm 120",
        ])

    @OptionGroup var data: DataOption

    @Option(
        help: ArgumentHelp("Allow this many to be removed: the number that the command shows.", valueName: "count"))
    var confirm: Int?

    func run() throws {
        let layout = DataLayout(data.path)
        guard PathKind(layout.database) == .file else {
            throw CommandFailure("\(layout.path) is not a data folder of a Hearth server: it has no database.")
        }
        let word = RemovalConfirmation(waiting: layout.pendingRemovalFile, confirmed: layout.confirmedRemovalFile)
        let waiting = try word.read()
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
        try word.confirm(waiting)
        Output.line(
            "Allowed: \(waiting.text.printable). The server's next round removes them: within an hour, or at its next start"
        )
    }
}

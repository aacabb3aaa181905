import HearthArguments
import HearthBackup
import HearthFiles
import HearthLocalCommands
import HearthUpkeep

struct CleanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Say what the server's upkeep waits to remove, or allow it.",
        discussion: """
            Once an hour the server removes what nobody needs any more. What looks like too much at once, such as most of its \
            model files, stays until it is allowed here: a mistaken database or clock looks the same. Works on a running \
            server, whose next round then goes on, and on one that is stopped, for its next start.
            """)

    @OptionGroup var data: DataOption

    @Option(
        help: ArgumentHelp("Allow so many to go: the number that waits.", valueName: "count"))
    var confirm: Int?

    func run() throws {
        let layout = DataLayout(data.path)
        guard PathKind(layout.database) == .file else {
            throw CommandFailure("\(layout.path) is no data folder of a Hearth server: it has no database.")
        }
        let word = OperatorWord(waiting: layout.upkeepWaiting, confirmed: layout.upkeepConfirmed)
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
        try word.confirm(confirm)
        Output.line(
            "Allowed: \(waiting.text.printable). The server's next round removes them: within an hour, or at its next start"
        )
    }
}

import HearthArguments
import HearthLocalCommands
import HearthProbe

/// Not for people: the server and `inspect` start it.
struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.probe.name,
        abstract: CommandSummary.probe.abstract,
        shouldDisplay: false)

    @Flag(
        name: .customLong("try-escape"), help: ArgumentHelp("Try to get out of the cage.", visibility: .hidden))
    var triesEscape = false

    @Argument(help: ArgumentHelp("Files that an escape would open.", visibility: .hidden))
    var paths: [String] = []

    func run() throws {
        if triesEscape { EscapeAttempts.run(paths: paths) }
        Probe.run()
    }
}

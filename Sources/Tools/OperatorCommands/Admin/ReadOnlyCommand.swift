import HearthArguments
import HearthBackup
import HearthLocalCommands
import HearthStorage
import HearthWire

struct ReadOnlyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read-only",
        abstract: "Let the servers over some data only answer devices, or let them take changes again.",
        discussion: """
            While the data is read-only, servers answer devices, and answer all changes with 503: by tools, of new installations \
            and of events, which devices send again later. `hearth admin copy` begins it, and leaves it on.
            `on` returns when no change is in progress any more. Without a word, the command shows the state.
            """,
        examples: [
            "hearth admin read-only",
            "hearth admin read-only on --reason 'we move to another database'",
            "hearth admin read-only off --data /var/lib/hearth",
        ])

    enum State: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    @Argument(help: "on or off; shows the state without it.")
    var state: State?

    @Option(help: ArgumentHelp("What refused callers are told, with on.", valueName: "text"))
    var reason: String?

    @OptionGroup var place: DataPlaceOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let place = try place.place
        let mode = try ReadOnlyMode(place)
        switch state {
        case .on: try mode.begin(reason: reason ?? "", now: .now)
        case .off: try mode.end()
        case nil: break
        }
        let mark = try mode.current()
        if json { return try Output.json(Report(readOnly: mark != nil, since: mark?.since, reason: mark?.reason)) }
        guard let mark else { return Output.line("The servers over \(place.name) take changes.") }
        Output.line("\(mark.summary.printable). `hearth admin read-only off` ends this.")
    }

    private struct Report: Encodable {
        let readOnly: Bool
        let since: String?
        let reason: String?
    }
}

import HearthArguments
import HearthBackup
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
            "hearth admin clean --database postgresql://hearth@db.example/hearth --blobs s3://models",
        ])

    @OptionGroup var place: DataPlaceOptions

    @Option(
        help: ArgumentHelp("Allow the removal of this many: the number that the command shows.", valueName: "count"))
    var confirm: Int?

    func run() throws {
        let place = try place.place
        let confirmation = RemovalConfirmation(try Self.notes(place))
        let waiting = try confirmation.read()
        guard let confirm else {
            Output.line(
                waiting.map { "\($0.count) waiting: \($0.text.printable)" } ?? "Nothing waits in \(place.name)")
            return
        }
        guard let waiting else { throw CommandFailure("Nothing waits in \(place.name), so nothing was allowed.") }
        guard waiting.count == confirm else {
            throw CommandFailure(
                "\(waiting.count) wait in \(place.name), not \(confirm): \(waiting.text.printable). Nothing was allowed."
            )
        }
        try confirmation.confirm(waiting)
        Output.line(
            "Allowed: \(waiting.text.printable). The server removes them in its next round: within an hour, or at its next start"
        )
    }

    private static func notes(_ place: DataPlace) throws -> any RemovalNotes {
        switch place {
        case .folder(let path):
            let layout = DataLayout(path)
            guard PathKind(layout.database) == .file else {
                throw CommandFailure("\(path) is not a data folder of a Hearth server: it has no database.")
            }
            return RemovalFiles(waiting: layout.pendingRemovalFile, confirmed: layout.confirmedRemovalFile)
        case .shared(let shared):
            return SharedRemovalNotes(place: shared)
        }
    }
}

/// The marks of servers that share a database, of which none needs to run.
private struct SharedRemovalNotes: RemovalNotes {
    let place: SharedPlace

    func deferred() throws -> String? { try place.value(of: .deferredRemovals) }
    func setDeferred(_ text: String?) throws { try place.set(.deferredRemovals, text) }
    func allow(_ text: String) throws { try place.set(.allowedRemovals, text) }

    func takeAllowed() throws -> String? {
        defer { try? place.set(.allowedRemovals, nil) }
        return try place.value(of: .allowedRemovals)
    }
}

import HearthArguments
import HearthLocalCommands
import HearthWire

struct ReleasesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.releases.name,
        abstract: CommandSummary.releases.abstract,
        discussion: """
            Of a model's releases that have not ended, a device gets the newest one that is for it and whose share holds \
            it. See docs/guides/releases.md.
            """,
        subcommands: [
            ReleaseListCommand.self, ReleaseCreateCommand.self, ReleaseSetCommand.self, ReleasePauseCommand.self,
            ReleaseResumeCommand.self, ReleaseEndCommand.self, RollbackCommand.self,
        ])
}

/// A release of a model, named on the command line.
struct ReleaseNumber: ParsableArguments {
    @Argument(help: "Number of the release. Default: the one that has not ended, where there is but one.")
    var release: Int?

    func validate() throws {
        if let release, release < 1 { throw ValidationError("Releases are numbered from 1 on.") }
    }

    func find(_ client: AdminClient, _ model: ModelResource) throws -> Int {
        if let release { return release }
        let open = try client.releases(of: model.resourceName()).filter { $0.state != "ended" }
        guard let first = open.first, open.count == 1 else {
            let name = model.displayName ?? ""
            throw CommandFailure(
                open.isEmpty
                    ? "No release of '\(name)' is under way."
                    : "'\(name)' has \(open.count) releases under way; say which: "
                        + open.map { String($0.release) }.joined(separator: ", ") + ".")
        }
        return first.release
    }
}

/// How commands report a release that they made or changed.
struct ReleaseReport {
    let admin: AdminOptions

    func print(_ release: ReleaseBodies.Release, _ verb: String) throws {
        if admin.json { return try Output.json(release) }
        let summary = ReleaseSummary(release)
        Output.line("\(verb) \(summary.sentence).")
        for warning in release.warnings ?? [] { Output.note("warning: \(warning.printable)") }
    }
}

import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

/// A release of a model, named on the command line.
struct ReleaseNumber: ParsableArguments {
    @Argument(help: "Number of the release. Default: the open release that does not reach all devices.")
    var release: Int?

    func validate() throws {
        if let release, release < 1 { throw ValidationError("Releases are numbered from 1.") }
    }

    /// - Parameter command: the user's, such as `set`, for an error that says how to continue.
    func find(_ client: AdminClient, _ model: ModelResource, for command: String) throws -> Int {
        if let release { return release }
        return try Self.only(
            of: client.releases(of: model.resourceName()), name: model.displayName ?? "", for: command)
    }

    /// More suggestions would hide the error.
    private static let maximumSuggestions = 3

    /// The release of a command that names none.
    static func only(
        of releases: [ReleaseBodies.Release], name: String, for command: String
    ) throws(CommandFailure) -> Int {
        let open = releases.filter { $0.state != "ended" }
        // The release that all devices got is the fallback of those that are being rolled out.
        let partial = open.filter { !ReleaseSummary($0).reachesAllDevices }
        let candidates = partial.isEmpty ? open : partial
        guard let first = candidates.first, candidates.count == 1 else {
            guard !candidates.isEmpty else { throw CommandFailure("'\(name)' has no open release.") }
            throw CommandFailure(ambiguous(candidates, name, command))
        }
        return first.release
    }

    private static func ambiguous(
        _ candidates: [ReleaseBodies.Release], _ name: String, _ command: String
    ) -> String {
        let commands = candidates.prefix(maximumSuggestions).map {
            "`hearth releases \(command) \(name) \($0.release)` for \(ReleaseSummary($0).distribution)"
        }
        let rest =
            candidates.count > maximumSuggestions ? "; `hearth releases list \(name) --open` lists the others" : ""
        return "'\(name)' has \(candidates.count) open releases. Give the number of one: "
            + commands.joined(separator: ", ") + rest + "."
    }
}

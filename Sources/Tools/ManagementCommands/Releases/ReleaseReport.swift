import HearthCalls
import HearthLocalCommands
import HearthWire

/// How commands report a release that they made or changed, and what that ended.
struct ReleaseReport {
    let admin: AdminOptions
    /// The model's display name.
    let model: String

    /// - Parameter consequences: other effects, one phrase each.
    func print(_ release: ReleaseBodies.Release, _ verb: String, consequences: [String] = []) throws {
        if admin.json { return try Output.json(release) }
        Self.print(release, verb, consequences: consequences)
        for line in EndedReleases.text(by: release, of: model) { Output.line(line) }
        for warning in release.warnings ?? [] { Output.note("warning: \(warning.printable)") }
    }

    /// A call that asks for the present state succeeds and does nothing.
    static func print(_ release: ReleaseBodies.Release, _ verb: String, consequences: [String] = []) {
        let sentence = ReleaseSummary(release).sentence
        guard release.unchanged != true else {
            return Output.line("Nothing changed, already so: \(sentence) (\(release.state)).")
        }
        Output.success("\(verb) \(([sentence] + consequences).joined(separator: "; ")).")
    }
}

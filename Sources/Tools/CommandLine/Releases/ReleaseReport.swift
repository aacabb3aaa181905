import HearthLocalCommands
import HearthWire

/// How commands report a release that they made or changed, and what that has ended.
struct ReleaseReport {
    let admin: AdminOptions
    /// The model's display name.
    let model: String

    /// - Parameter consequences: what else became of the release, or did not, one phrase each.
    func print(_ release: ReleaseBodies.Release, _ verb: String, consequences: [String] = []) throws {
        if admin.json { return try Output.json(release) }
        Self.tell(release, verb, consequences: consequences)
        for line in Self.ended(by: release, of: model) { Output.line(line) }
        for warning in release.warnings ?? [] { Output.note("warning: \(warning.printable)") }
    }

    /// A call that asks for what is so already succeeds as well, and has done nothing.
    static func tell(_ release: ReleaseBodies.Release, _ verb: String, consequences: [String] = []) {
        let sentence = ReleaseSummary(release).sentence
        guard release.unchanged != true else {
            return Output.line("Nothing changed, it is so already: \(sentence) (\(release.state)).")
        }
        Output.success("\(verb) \(([sentence] + consequences).joined(separator: "; ")).")
    }

    /// A rollback that ended a rollout is not taken back by another one, so it says how that is begun again.
    static func ended(by release: ReleaseBodies.Release, of model: String, now: Timestamp = .now) -> [String] {
        (release.endedReleases ?? []).map { ended in
            let summary = ReleaseSummary(ended, now: now)
            let line = "Ended release \(ended.release): \(summary.reach)\(ended.pauseTime == nil ? "" : ", paused")."
            guard release.kind == "rollback", !summary.wasForAll else { return line }
            return "\(line) To begin it again: \(CreateCommandText.text(ended, of: model, now: now))"
        }
    }
}

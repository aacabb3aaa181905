import HearthCalls
import HearthCatalog
import HearthWire

/// What a command says about the releases that it ended, such as those that a rollback ended.
enum EndedReleases {
    /// Another rollback does not restore a rollout that this one ended, so the text says how to begin it again.
    static func text(by release: ReleaseBodies.Release, of model: String, now: Timestamp = .now) -> [String] {
        (release.endedReleases ?? []).map { ended in
            let line = line(ended, now: now)
            guard release.kind == "rollback", !ReleaseSummary(ended, now: now).reachedAllDevices else { return line }
            return "\(line) To begin it again: \(CreateCommandText.text(ended, of: model, now: now))"
        }
    }

    /// - Parameter ended: as it was before.
    static func line(_ ended: ReleaseBodies.Release, now: Timestamp = .now) -> String {
        "Ended release \(ended.release): \(ReleaseSummary(ended, now: now).distribution)\(ended.pauseTime == nil ? "" : ", paused")."
    }
}

/// The command for a release like an ended one: the same version for the same devices, from the share that it had reached. The
/// share then reaches other devices.
enum CreateCommandText {
    /// Without stages whose time is over.
    static func text(_ release: ReleaseBodies.Release, of model: String, now: Timestamp) -> String {
        var words = ["hearth releases create", model, "--version \(release.version)"]
        let share = Share(fraction: release.share)
        let later = (release.guarding?.plan ?? []).map(Share.init(fraction:)).filter { $0 > share }
        if later.isEmpty {
            words.append("--share \(share.text)")
        } else {
            words.append("--plan " + ([share] + later).map(\.text).joined(separator: ","))
        }
        words += release.guarding.map(guards) ?? []
        for stage in release.stages ?? [] {
            guard let time = Timestamp(rfc3339: stage.time), time > now else { continue }
            words.append("--stage \(TimeArgument.wire(time))=\(Share(fraction: stage.share).text)")
        }
        return (words + options(release.audience ?? Audience())).joined(separator: " ").printable
    }

    private static func guards(_ guarding: ReleaseBodies.GuardingStatus) -> [String] {
        let standard = ReleaseGuarding.standardHoldSeconds
        let hold = DurationArgument(seconds: Int64(guarding.holdSeconds)).text
        return (Int64(guarding.holdSeconds) == standard ? [] : ["--hold \(hold)"])
            + (guarding.onHarm == "pause" ? [] : ["--on-harm \(guarding.onHarm)"])
            + guarding.guards.filter { $0.state == "off" }.map { "--without-guard \($0.name)" }
    }

    /// One word of a shell. Conditions contain single quotes.
    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }

    private static func options(_ audience: Audience) -> [String] {
        let lists = [
            ("--app-version-from", audience.appVersionFrom.map { [$0] } ?? []),
            ("--app-version-below", audience.appVersionBelow.map { [$0] } ?? []),
            ("--os", audience.operatingSystems), ("--language", audience.languages),
            ("--country", audience.countries), ("--tag", audience.tags),
        ]
        return lists.flatMap { option, words in words.map { "\(option) \($0)" } }
            + (audience.condition.map { ["--condition \(quoted($0))"] } ?? [])
    }
}

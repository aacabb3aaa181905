import HearthLocalCommands
import HearthWire

/// The command that makes a release like one that was: the same version for the same devices, from the share that was
/// reached on. Its devices are drawn anew.
enum CreateCommandText {
    /// Stages whose time is over by now are left out.
    static func text(_ release: ReleaseBodies.Release, of model: String, now: Timestamp) -> String {
        var words = ["hearth releases create", model, "--version \(release.version)"]
        words.append("--share \(Share(fraction: release.share).text)")
        for stage in release.stages ?? [] {
            guard let time = Timestamp(rfc3339: stage.time), time > now else { continue }
            words.append("--stage \(Moment.wire(time))=\(Share(fraction: stage.share).text)")
        }
        return (words + options(release.audience ?? Audience())).joined(separator: " ").printable
    }

    /// As one word of a shell. Conditions are full of single quotes.
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

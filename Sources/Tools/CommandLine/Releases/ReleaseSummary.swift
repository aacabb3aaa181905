import HearthArguments
import HearthLocalCommands
import HearthWire

/// A release as text.
struct ReleaseSummary {
    private let release: ReleaseBodies.Release
    private let now: Timestamp

    init(_ release: ReleaseBodies.Release, now: Timestamp = .now) {
        self.release = release
        self.now = now
    }

    static var table: TextTable {
        TextTable([
            .number("RELEASE"), .number("VERSION"), .text("KIND", dropOrder: 4), "STATE", .number("SHARE"),
            .text("NEXT STAGE (UTC)", dropOrder: 1), .text("AUDIENCE", isTruncatable: true),
            .text("CREATED (UTC)", dropOrder: 2),
            .text("BY", dropOrder: 3, isTruncatable: true),
        ])
    }

    /// - Parameter project: the project of the releases.
    func row(project: String? = nil) -> [String] {
        [
            String(release.release), String(release.version), release.kind, release.state, share, nextStage,
            AudienceText.text(release.audience), TimeArgument.short(release.createTime),
            ServiceAccountName.short(release.createdBy, project: project),
        ]
    }

    /// `release 3: version 2 to 10% of all devices, 50% from 2026-12-01 09:00 UTC on`.
    var sentence: String {
        var text = "release \(release.release): \(distribution)"
        for stage in upcoming {
            text += ", \(Share(fraction: stage.share).text) from \(TimeArgument.short(stage.time)) UTC on"
        }
        return text
    }

    /// `version 2 to 10% of all devices`.
    var distribution: String { "version \(release.version) to \(share) of \(AudienceText.text(release.audience))" }

    /// Whether it reaches all devices now.
    var reachesAllDevices: Bool { release.state == "active" && isWhole }

    /// Whether it reached all devices when it ended.
    var reachedAllDevices: Bool { release.state == "ended" && release.pauseTime == nil && isWhole }

    /// The stages of the future; after the end, the stages that were not reached. A pause stops the schedule.
    var pendingStages: [ReleaseBodies.Stage] {
        let clock = (release.pauseTime ?? release.endTime).flatMap(Timestamp.init(rfc3339:)) ?? now
        return (release.stages ?? []).filter { stage in Timestamp(rfc3339: stage.time).map { $0 > clock } ?? false }
    }

    private var isWhole: Bool {
        Share(fraction: release.share) == .whole && (release.audience?.isEverybody ?? true)
    }

    private var share: String { Share(fraction: release.share).text }

    private var nextStage: String {
        guard let stage = upcoming.first else { return "-" }
        // A pause stops the schedule.
        return release.state == "paused"
            ? "paused" : "\(Share(fraction: stage.share).text) at \(TimeArgument.short(stage.time))"
    }

    private var upcoming: [ReleaseBodies.Stage] { release.state == "ended" ? [] : pendingStages }
}

/// An audience on one line: `app 2.1 to below 3, ios or linux, de, tag beta, if percent <= 10`.
enum AudienceText {
    static func text(_ audience: Audience?) -> String {
        guard let audience, !audience.isEverybody else { return "all devices" }
        var parts: [String] = []
        switch (audience.appVersionFrom, audience.appVersionBelow) {
        case (let from?, let below?): parts.append("app \(from) to below \(below)")
        case (let from?, nil): parts.append("app from \(from)")
        case (nil, let below?): parts.append("app below \(below)")
        case (nil, nil): break
        }
        for list in [audience.operatingSystems, audience.languages, audience.countries] where !list.isEmpty {
            parts.append(list.joined(separator: " or "))
        }
        if !audience.tags.isEmpty { parts.append("tag \(audience.tags.joined(separator: " or "))") }
        if let condition = audience.condition { parts.append("if \(condition)") }
        return parts.joined(separator: ", ").printable
    }
}

/// How commands report a release that they made or changed, and what that ended.
struct ReleaseReport {
    let admin: AdminOptions
    /// The model's display name.
    let model: String

    /// - Parameter consequences: other effects, one phrase each.
    func print(_ release: ReleaseBodies.Release, _ verb: String, consequences: [String] = []) throws {
        if admin.json { return try Output.json(release) }
        Self.print(release, verb, consequences: consequences)
        for line in Self.ended(by: release, of: model) { Output.line(line) }
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

    /// Another rollback does not restore a rollout that this one ended, so the text says how to begin it again.
    static func ended(by release: ReleaseBodies.Release, of model: String, now: Timestamp = .now) -> [String] {
        (release.endedReleases ?? []).map { ended in
            let summary = ReleaseSummary(ended, now: now)
            let line =
                "Ended release \(ended.release): \(summary.distribution)\(ended.pauseTime == nil ? "" : ", paused")."
            guard release.kind == "rollback", !summary.reachedAllDevices else { return line }
            return "\(line) To begin it again: \(CreateCommandText.text(ended, of: model, now: now))"
        }
    }
}

/// The command for a release like an ended one: the same version for the same devices, from the share that it had reached. The
/// share then reaches other devices.
enum CreateCommandText {
    /// Without stages whose time is over.
    static func text(_ release: ReleaseBodies.Release, of model: String, now: Timestamp) -> String {
        var words = ["hearth releases create", model, "--version \(release.version)"]
        words.append("--share \(Share(fraction: release.share).text)")
        for stage in release.stages ?? [] {
            guard let time = Timestamp(rfc3339: stage.time), time > now else { continue }
            words.append("--stage \(TimeArgument.wire(time))=\(Share(fraction: stage.share).text)")
        }
        return (words + options(release.audience ?? Audience())).joined(separator: " ").printable
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

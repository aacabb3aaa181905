import HearthArguments
import HearthLocalCommands
import HearthWire

/// A release for people to read.
struct ReleaseSummary {
    private let release: ReleaseBodies.Release
    private let now: Timestamp

    init(_ release: ReleaseBodies.Release, now: Timestamp = .now) {
        self.release = release
        self.now = now
    }

    static var table: TextTable {
        TextTable([
            .number("RELEASE"), .number("VERSION"), .text("KIND", yields: 4), "STATE", .number("SHARE"),
            .text("NEXT STAGE (UTC)", yields: 1), .text("AUDIENCE", shrinks: true), .text("CREATED (UTC)", yields: 2),
            .text("BY", yields: 3, shrinks: true),
        ])
    }

    /// - Parameter project: the one whose releases are listed.
    func row(project: String? = nil) -> [String] {
        [
            String(release.release), String(release.version), release.kind, release.state, share, nextStage,
            AudienceText.text(release.audience), Moment.short(release.createTime),
            AccountName.short(release.createdBy, project: project),
        ]
    }

    /// `release 3: version 2 to 10% of everybody, 50% from 2026-12-01 09:00 UTC on`.
    var sentence: String {
        var text = "release \(release.release): \(reach)"
        for stage in upcoming {
            text += ", \(Share(fraction: stage.share).text) from \(Moment.short(stage.time)) UTC on"
        }
        return text
    }

    /// `version 2 to 10% of everybody`.
    var reach: String { "version \(release.version) to \(share) of \(AudienceText.text(release.audience))" }

    /// Whether it goes to all devices, now.
    var isForAll: Bool { release.state == "active" && isWhole }

    /// Whether it went to all devices when it ended.
    var wasForAll: Bool { release.state == "ended" && release.pauseTime == nil && isWhole }

    /// Stages that were not reached yet; once it has ended, those that it did not reach. Paused, its schedule stands still.
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
        // Paused, its schedule stands still.
        return release.state == "paused"
            ? "on hold" : "\(Share(fraction: stage.share).text) at \(Moment.short(stage.time))"
    }

    private var upcoming: [ReleaseBodies.Stage] { release.state == "ended" ? [] : pendingStages }
}

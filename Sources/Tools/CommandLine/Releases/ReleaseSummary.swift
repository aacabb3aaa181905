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
            .number("RELEASE"), .number("VERSION"), "KIND", "STATE", .number("SHARE"), "NEXT STAGE (UTC)", "AUDIENCE",
            "CREATED (UTC)", "BY",
        ])
    }

    var row: [String] {
        [
            String(release.release), String(release.version), release.kind, release.state, share, nextStage,
            AudienceText.text(release.audience), Moment.short(release.createTime), release.createdBy,
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
    var isForAll: Bool {
        Share(fraction: release.share) == .whole && (release.audience?.isEverybody ?? true) && release.state == "active"
    }

    private var share: String { Share(fraction: release.share).text }

    private var nextStage: String {
        guard let stage = upcoming.first, release.state != "ended" else { return "-" }
        // Paused, its schedule stands still.
        return release.state == "paused"
            ? "on hold" : "\(Share(fraction: stage.share).text) at \(Moment.short(stage.time))"
    }

    private var upcoming: [ReleaseBodies.Stage] {
        (release.stages ?? []).filter { stage in Timestamp(rfc3339: stage.time).map { $0 > now } ?? false }
    }
}

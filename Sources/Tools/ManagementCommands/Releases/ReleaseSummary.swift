import HearthArguments
import HearthCalls
import HearthCatalog
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
            .number("RELEASE"), .number("VERSION"), .text("KIND", dropOrder: 5), "STATE", .number("SHARE"),
            .text("NEXT STAGE (UTC)", dropOrder: 2), .text("AUDIENCE", isTruncatable: true),
            .text("WATCHED", dropOrder: 1), .text("CREATED (UTC)", dropOrder: 3),
            .text("BY", dropOrder: 4, isTruncatable: true),
        ])
    }

    /// - Parameter project: the project of the releases.
    func row(project: String? = nil) -> [String] {
        [
            String(release.release), String(release.version), release.kind, release.state, share, nextStage,
            AudienceText.text(release.audience), watched, TimeArgument.short(release.createTime),
            ServiceAccountName.short(release.createdBy, project: project),
        ]
    }

    /// `release 3: version 2 to 10% of all devices, 50% from 2026-12-01 09:00 UTC on`.
    var sentence: String {
        var text = "release \(release.release): \(distribution)"
        for stage in upcoming {
            text += ", \(Share(fraction: stage.share).text) from \(TimeArgument.short(stage.time)) UTC on"
        }
        let plan = (release.guarding?.plan ?? []).map(Share.init(fraction:)).filter {
            $0 > Share(fraction: release.share)
        }
        if release.state != "ended", !plan.isEmpty {
            text += ", by its plan \(plan.map(\.text).joined(separator: ", "))"
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

    /// `by returns only`, `by returns and reports`, `stopped by crashes`, `not watched: too many`,
    /// `not watched: no baseline`.
    private var watched: String {
        guard let guarding = release.guarding else { return "-" }
        if let stop = guarding.stop { return "stopped by \(stop.name)" }
        switch guarding.unwatched {
        case nil: break
        case "nothing-below": return "not watched: no baseline"
        default: return "not watched: too many"
        }
        guard let kinds = guarding.watchedBy else { return "-" }
        switch kinds.count {
        case 0: return "no guard is on"
        case 1: return "by \(kinds[0]) only"
        default: return "by " + kinds.joined(separator: " and ")
        }
    }

    /// The next share of its plan, unless it is stopped.
    private var nextOfPlan: Share? {
        guard release.state != "ended" else { return nil }
        return (release.guarding?.plan ?? []).map(Share.init(fraction:)).first { $0 > Share(fraction: release.share) }
    }

    /// What the user may not expect of a plan.
    static func planNotes(_ release: ReleaseBodies.Release) -> [String] {
        guard let last = release.guarding?.plan?.last, last <= release.share else { return [] }
        return ["its plan has no share above the present one"]
    }

    /// Why the server stopped it, as a sentence; nil if it did not.
    var stopSentence: String? {
        release.guarding?.stop.map { stop in
            "Release \(release.release) was \(release.state == "paused" ? "paused" : "ended") by the guard '\(stop.name)' at "
                + "\(TimeArgument.short(stop.time)) UTC: \(stop.reason.printable)."
        }
    }

    private var nextStage: String {
        if let next = nextOfPlan { return release.state == "paused" ? "paused" : "\(next.text) by plan" }
        guard let stage = upcoming.first else { return "-" }
        // A pause stops the schedule.
        return release.state == "paused"
            ? "paused" : "\(Share(fraction: stage.share).text) at \(TimeArgument.short(stage.time))"
    }

    private var upcoming: [ReleaseBodies.Stage] { release.state == "ended" ? [] : pendingStages }
}

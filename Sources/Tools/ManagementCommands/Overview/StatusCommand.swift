import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.status.name,
        abstract: CommandSummary.status.abstract,
        discussion: """
            Shows the rollouts under way with what their guards say, the releases that were stopped and the experiments that \
            ended in the last 7 days, the running experiments, and the versions that cannot be released.
            """,
        examples: [
            "hearth status",
            "hearth status --json",
        ])

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let overview = try admin.client().overview()
        if admin.json { return try Output.json(overview) }
        Output.line(OverviewText(overview, width: tables.width).text)
    }
}

/// An overview as text. Pure.
struct OverviewText {
    private let overview: OverviewBodies.Overview
    private let width: Int?

    /// - Parameter width: of the terminal; nil shows all, as for a file.
    init(_ overview: OverviewBodies.Overview, width: Int? = nil) {
        self.overview = overview
        self.width = width
    }

    /// Paragraphs with empty lines between them; those without content are left out.
    var text: String {
        ([heading]
            + [
                section("Rollouts", rollouts, more: overview.counts.rollouts - overview.rollouts.count),
                section("Stopped in the last 7 days", stopped), section("Experiments", experiments),
                section("Versions that cannot be released", failed),
                section(
                    "Validations that wait", pending, more: overview.counts.pendingValidations - overview.pending.count),
            ].compactMap { $0 }).joined(separator: "\n\n")
    }

    private var heading: String {
        let counts = overview.counts
        return
            "Project \(overview.project): \(Quantity.text(counts.models, "model")) (\(counts.publishedModels) published), "
            + "\(Quantity.text(counts.rollouts, "rollout")), "
            + "\(Quantity.text(counts.runningExperiments, "running experiment")), "
            + "\(Quantity.text(counts.installations, "installation"))"
    }

    private func section(_ title: String, _ table: TextTable, more: Int = 0) -> String? {
        guard !table.isEmpty else { return nil }
        return "\(title):\n\(table.text(width: width))" + (more > 0 ? "\nand \(more) more" : "")
    }

    private var rollouts: TextTable {
        var table = TextTable([
            "MODEL", .number("RELEASE", dropOrder: 1), .number("VERSION"), .number("SHARE"), "STATE",
            .text("NEXT (UTC)", dropOrder: 2), .text("GUARDS", isTruncatable: true),
        ])
        for one in overview.rollouts {
            let share = Share(fraction: one.share).text + (one.hasAudience ? " of its audience" : "")
            table.append([
                one.displayName, String(one.release), String(one.version), share, one.state, Self.next(one),
                [one.guardState, one.guardText].compactMap { $0 }.joined(separator: ": "),
            ])
        }
        return table
    }

    /// `25% by plan`, `50% at 2026-12-01 09:00`.
    private static func next(_ rollout: OverviewBodies.Rollout) -> String {
        guard let share = rollout.nextShare.map(Share.init(fraction:)) else { return "-" }
        if rollout.state == "paused" { return "paused" }
        return "\(share.text) " + (rollout.nextTime.map { "at \(TimeArgument.short($0))" } ?? "by plan")
    }

    private var stopped: TextTable {
        var table = TextTable([
            "MODEL", .number("RELEASE", dropOrder: 2), .number("VERSION"), .text("ENDED (UTC)", dropOrder: 1),
            .text("WHY", isTruncatable: true),
        ])
        for one in overview.stopped {
            table.append([
                one.displayName, String(one.release), String(one.version), TimeArgument.short(one.endTime),
                (one.guardName.map { "guard '\($0)': " } ?? "") + one.reason,
            ])
        }
        return table
    }

    private var experiments: TextTable {
        var table = TextTable([
            "EXPERIMENT", "STATE", .text("SINCE (UTC)", dropOrder: 1), "VERDICT", .text("SUMMARY", isTruncatable: true),
        ])
        for one in overview.experiments {
            table.append([
                one.name, one.state, TimeArgument.short(one.endTime ?? one.startTime), one.verdict ?? "-", one.summary,
            ])
        }
        return table
    }

    private var failed: TextTable {
        var table = TextTable([
            "MODEL", .number("VERSION"), .text("CREATED (UTC)", dropOrder: 1), "FAILED",
            .text("WHY", isTruncatable: true),
        ])
        for one in overview.failedVersions {
            table.append([
                one.displayName, String(one.version), TimeArgument.short(one.createTime), one.kind, one.reason,
            ])
        }
        return table
    }

    private var pending: TextTable {
        var table = TextTable([
            "FILE", .text("REQUESTED (UTC)", dropOrder: 1), .text("NOTE", isTruncatable: true),
        ])
        for one in overview.pending {
            let name = one.displayName.map { "\($0) version \(one.version.map(String.init) ?? "?")" }
            table.append([
                name ?? "upload \(one.modelHash.prefix(12))", TimeArgument.short(one.requestTime), one.note ?? "",
            ])
        }
        return table
    }
}

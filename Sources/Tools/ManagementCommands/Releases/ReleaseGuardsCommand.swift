import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct ReleaseGuardsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guards", abstract: "Show what the server has seen of the devices of a guarded release.",
        discussion: """
            Each guard compares devices that the draw gave the version with devices that it left on the baseline, which \
            is the version of the fallback release. \
            A device takes part if its first call named the version that it would get without the release. \
            'returned-without' counts devices that had the version and asked again with another one, or that say that \
            they rejected it; the others count what devices report. Of the columns, DEVICES and FAILED are about devices \
            with the version, BASELINE and BASELINE FAILED about those on the baseline, each as far as they have shown what \
            the guard looks at; TIME is the time of a run as a multiple of that of the baseline.
            """,
        examples: [
            "hearth releases guards flowers",
            "hearth releases guards flowers 3 --json",
        ])

    @OptionGroup var model: ModelName
    @OptionGroup var number: ReleaseNumber
    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let found = try model.find(client)
        let release = try release(client, found)
        if admin.json { return try Output.json(release) }
        Self.lines(release, width: tables.width).forEach { Output.line($0) }
    }

    /// Without a number, the newest release with guards rather than one for all devices: a guard may have ended it.
    private func release(_ client: AdminClient, _ model: ModelResource) throws -> ReleaseBodies.Release {
        let name = try model.resourceName()
        let release = try client.release(number.find(client, model, for: "guards"), of: name)
        guard number.release == nil, release.guarding == nil else { return release }
        let guarded = try client.releases(of: name).filter { $0.guarding != nil }.max { $0.release < $1.release }
        return try guarded.map { try client.release($0.release, of: name) } ?? release
    }

    static func lines(_ release: ReleaseBodies.Release, width: Int?) -> [String] {
        let summary = ReleaseSummary(release)
        guard let guarding = release.guarding else {
            return [
                """
                \(summary.sentence) (\(release.state)). The server does not watch it: there are no devices that \
                match its conditions and get another version.
                """
            ]
        }
        var table = TextTable([
            "GUARD", "STATE", .number("DEVICES"), .number("FAILED"), .number("BASELINE"), .number("BASELINE FAILED"),
            .number("TIME"),
        ])
        for each in guarding.guards {
            table.append(
                [each.name, each.state]
                    + [
                        each.devices?.version, each.failed?.version, each.devices?.below, each.failed?.below,
                    ].map { $0.map(String.init) ?? "-" } + [each.ratio.map(Self.factor) ?? "-"])
        }
        let onHarm = guarding.onHarm == "pause" ? "pauses it" : "ends it, and devices get the fallback release again"
        let lacks = guarding.guards.compactMap { each in each.lacks.map { "\(each.name): \($0.printable)." } }
        let reports = guarding.reportingShare.map {
            [
                "Of the watched devices on the baseline, \(Int(($0 * 100).rounded())) % report; the guards on reports need 20 %."
            ]
        }
        let unwatched = guarding.unwatched.map { reason in
            reason == "nothing-below"
                ? "The server does not watch it: no older release is under way, with whose devices it could compare."
                : "The server does not watch it now, because it watches too many other releases."
                    + (guarding.plan == nil ? "" : " Its plan waits.")
        }
        let hold = DurationArgument(seconds: Int64(guarding.holdSeconds)).text
        let rules =
            guarding.guards.allSatisfy { $0.state == "off" } ? "No guard is on." : "A guard that finds harm \(onHarm)."
        return ["\(summary.sentence) (\(release.state)). \(rules)"]
            + (guarding.plan == nil ? [] : ["Each share of its plan lasts at least \(hold)."])
            + [unwatched, summary.stopSentence].compactMap { $0 } + [table.text(width: width)] + lacks
            + (guarding.devices.map(devices) ?? []) + (reports ?? [])
    }

    private static func devices(_ devices: ReleaseBodies.WatchedDevices) -> [String] {
        let (version, baseline) = (devices.takingPart.version, devices.takingPart.below)
        let others = [
            (devices.namedOther, "first named no version or another one"),
            (devices.outsideSample, "are not in the sample"), (devices.left, "left"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        var lines = [
            """
            Since \(TimeArgument.short(devices.since)) UTC, these devices take part: \(version) that the draw gives \
            the version, and \(baseline) on the baseline.
            """
                + (others.isEmpty ? "" : " Others do not: \(others.joined(separator: ", ")).")
        ]
        if devices.comparedShare < 1 {
            let percent = Int((devices.comparedShare * 100).rounded())
            lines.append(
                """
                Only \(percent) % of the draw are compared: the others were offered the version before the watch \
                began, or the share was lowered.
                """
            )
        }
        if devices.neverTaken > 0 {
            lines.append(
                "\(devices.neverTaken) devices came back and never took the version, beside \(devices.taken) that did; "
                    + "\(devices.lackingStorage) lack room for it. That stops nothing."
            )
        }
        return lines
    }

    private static func factor(_ ratio: Double) -> String {
        // What another server sends may be anything.
        let hundredths = Int((min(max(ratio, 0), 1_000_000) * 100).rounded())
        return "x \(hundredths / 100).\(String(hundredths % 100 + 100).dropFirst())"
    }
}

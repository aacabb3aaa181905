import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthWire

struct ReleaseGuardsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guards", abstract: "Show what the server has seen of the devices of a guarded release.",
        discussion: """
            Each guard compares the devices that got the version with those that the draw left on the version below. \
            'returned-without' counts devices that asked again without the version; the others count what devices report.
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
        let release = try client.release(number.find(client, found, for: "guards"), of: found.resourceName())
        if admin.json { return try Output.json(release) }
        Self.lines(release, width: tables.width).forEach { Output.line($0) }
    }

    static func lines(_ release: ReleaseBodies.Release, width: Int?) -> [String] {
        let summary = ReleaseSummary(release)
        guard let guarding = release.guarding else {
            return [
                "\(summary.sentence) (\(release.state)). The server does not watch it: it was made for all devices, or by a server without guards."
            ]
        }
        var table = TextTable([
            "GUARD", "STATE", .number("DEVICES"), .number("FAILED"), .number("DEVICES BELOW"), .number("FAILED BELOW"),
            .number("TIME"),
        ])
        for each in guarding.guards {
            table.append(
                [each.name, each.state]
                    + [
                        each.devices?.version, each.failed?.version, each.devices?.below, each.failed?.below,
                    ].map { $0.map(String.init) ?? "-" } + [each.ratio.map(Self.factor) ?? "-"])
        }
        let onHarm = guarding.onHarm == "pause" ? "pauses it" : "ends it, and devices get the version below again"
        let reports = guarding.reportingShare.map {
            [
                "Of the watched devices on the version below, \(Int(($0 * 100).rounded())) % report; the guards on reports need 20 %."
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
            + [unwatched, summary.stopSentence].compactMap { $0 } + [table.text(width: width)] + (reports ?? [])
    }

    private static func factor(_ ratio: Double) -> String {
        let hundredths = Int((ratio * 100).rounded())
        return "x \(hundredths / 100).\(String(hundredths % 100 + 100).dropFirst())"
    }
}

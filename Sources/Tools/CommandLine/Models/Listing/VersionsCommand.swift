import HearthArguments
import HearthLocalCommands
import HearthWire

struct VersionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "List a model's versions: what the check found, and which of them devices get.",
        examples: ["hearth models versions flowers"])

    @OptionGroup var model: ModelName
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let name = try model.find(client).resourceName()
        let versions = try client.versions(of: name)
        if admin.json { return try Output.json(ReleaseBodies.VersionList(versions: versions)) }
        guard !versions.isEmpty else { return Output.line("'\(model.name)' has no version yet.") }
        let releases = try client.releases(of: name)
        Output.line(VersionTable(versions, releases: releases).description)
    }
}

/// Versions for people to read.
struct VersionTable: CustomStringConvertible {
    private var table = TextTable([
        .number("VERSION"), "VERDICT", .number("SIZE"), .number("LATENCY"), .number("MEMORY"), "SHA-256", "RELEASED",
        "CREATED (UTC)", "BY", "NOTE",
    ])

    init(_ versions: [ReleaseBodies.Version], releases: [ReleaseBodies.Release]) {
        for version in versions {
            table.append([
                String(version.version), version.verdict, UInt64(version.sizeBytes).map(ByteCount.text) ?? "-",
                version.figures.map(FiguresText.latency) ?? "-", version.figures.map(FiguresText.memory) ?? "-",
                String(version.modelHash.prefix(12)), Self.released(version.version, releases),
                Moment.short(version.createTime), version.createdBy, version.message ?? version.figuresNote ?? "",
            ])
        }
    }

    var description: String { table.description }

    /// `to all`, or each release under way, such as `10% (release 3)`.
    private static func released(_ version: Int, _ releases: [ReleaseBodies.Release]) -> String {
        let open = releases.filter { $0.version == version && $0.state != "ended" }
        return open.map { release in
            if ReleaseSummary(release).isForAll { return "to all" }
            let paused = release.state == "paused" ? ", paused" : ""
            return "\(Share(fraction: release.share).text) (release \(release.release)\(paused))"
        }.joined(separator: ", ")
    }
}

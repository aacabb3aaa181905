import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct VersionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "List a model's versions, their validation, aliases and notes, and which of them devices get.",
        examples: ["hearth models versions flowers"])

    @OptionGroup var model: ModelName
    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let name = try model.find(client).resourceName()
        let versions = try client.versions(of: name)
        if admin.json { return try Output.json(ReleaseBodies.VersionList(versions: versions)) }
        guard !versions.isEmpty else { return Output.line("'\(model.name)' has no versions.") }
        let releases = try client.releases(of: name)
        let table = VersionTable(versions, releases: releases, project: try client.project())
        Output.line(table.text(width: tables.width))
    }
}

/// Versions as a table.
struct VersionTable: CustomStringConvertible {
    private var table = TextTable([
        .number("VERSION"), .text("ALIASES", dropOrder: 1, isTruncatable: true), "VERDICT", .number("SIZE"),
        .number("LATENCY", dropOrder: 5), .number("MEMORY", dropOrder: 6), .text("SHA-256", dropOrder: 8),
        .text("RELEASED", isTruncatable: true), .text("CREATED (UTC)", dropOrder: 2),
        .text("BY", dropOrder: 7, isTruncatable: true), .text("NOTE", dropOrder: 4, isTruncatable: true),
        .text("MESSAGE", dropOrder: 3, isTruncatable: true),
    ])

    /// - Parameter project: the project of the model.
    init(_ versions: [ReleaseBodies.Version], releases: [ReleaseBodies.Release], project: String? = nil) {
        for version in versions {
            table.append([
                String(version.version), (version.aliases ?? []).joined(separator: ", "), version.verdict,
                UInt64(version.sizeBytes).map(ByteCount.text) ?? "-",
                version.figures.map(MeasurementsText.latency) ?? "-",
                version.figures.map(MeasurementsText.memory) ?? "-",
                String(version.modelHash.prefix(12)), Self.released(version.version, releases),
                TimeArgument.short(version.createTime), ServiceAccountName.short(version.createdBy, project: project),
                version.note ?? "", version.message ?? version.figuresNote ?? "",
            ])
        }
    }

    var description: String { table.description }

    func text(width: Int?) -> String { table.text(width: width) }

    /// `to all`, or each open release, such as `10% (release 3)`.
    private static func released(_ version: Int, _ releases: [ReleaseBodies.Release]) -> String {
        let open = releases.filter { $0.version == version && $0.state != "ended" }
        return open.map { release in
            if ReleaseSummary(release).reachesAllDevices { return "to all" }
            let paused = release.state == "paused" ? ", paused" : ""
            return "\(Share(fraction: release.share).text) (release \(release.release)\(paused))"
        }.joined(separator: ", ")
    }
}

/// The measurements of a model as text.
enum MeasurementsText {
    /// The median run time.
    static func latency(_ measurements: ModelMeasurements) -> String { time(measurements.medianMicroseconds) }

    /// At the peak, including the engine.
    static func memory(_ measurements: ModelMeasurements) -> String {
        ByteCount.text(UInt64(max(0, measurements.peakMemoryBytes)))
    }

    /// Without decimals that were not measured.
    static func time(_ microseconds: Int) -> String {
        microseconds < 1000 ? "\(microseconds) us" : Duration.microseconds(microseconds).text
    }
}

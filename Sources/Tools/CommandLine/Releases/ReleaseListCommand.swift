import HearthArguments
import HearthLocalCommands
import HearthWire

struct ReleaseListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List a model's releases, newest first.",
        examples: [
            "hearth releases list flowers",
            "hearth releases list flowers --open --json",
        ])

    @OptionGroup var model: ModelName

    @Flag(help: "Only those that have not ended.")
    var open = false

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let all = try client.releases(of: model.find(client).resourceName())
        let releases = open ? all.filter { $0.state != "ended" } : all
        if admin.json { return try Output.json(ReleaseBodies.ReleaseList(releases: releases)) }
        guard !releases.isEmpty else {
            return Output.line(
                "'\(model.name)' has no release\(open && !all.isEmpty ? " under way" : ""). "
                    + "Try: hearth releases create \(model.name)")
        }
        var table = ReleaseSummary.table
        let project = try client.project()
        for release in releases { table.append(ReleaseSummary(release).row(project: project)) }
        Output.line(table.text(width: tables.width))
    }
}

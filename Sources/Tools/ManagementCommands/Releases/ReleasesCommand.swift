import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct ReleasesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.releases.name,
        renamed: ["end": "stop"],
        abstract: CommandSummary.releases.abstract,
        discussion: """
            A device gets the newest open release whose conditions it meets and whose share it is in. See \
            docs/guides/releases.md.
            """,
        examples: [
            "hearth releases create flowers --version 2 --share 10%",
            "hearth releases set flowers --share 50%",
            "hearth releases rollback flowers",
        ],
        subcommands: [
            ReleaseListCommand.self, ReleaseGuardsCommand.self, ReleaseCreateCommand.self, ReleaseSetCommand.self,
            ReleasePauseCommand.self,
            ReleaseResumeCommand.self, ReleaseStopCommand.self, ReleaseRollbackCommand.self,
            ReleasePinCommand.self, ReleasePinsCommand.self, ReleaseUnpinCommand.self, ReleaseExplainCommand.self,
        ])
}

struct ReleaseListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List a model's releases, newest first.",
        examples: [
            "hearth releases list flowers",
            "hearth releases list flowers --open --json",
        ])

    @OptionGroup var model: ModelName

    @Flag(help: "Only open releases.")
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
                "'\(model.name)' has no \(open && !all.isEmpty ? "open release" : "releases"). "
                    + "Try: hearth releases create \(model.name)")
        }
        var table = ReleaseSummary.table
        let project = try client.project()
        for release in releases { table.append(ReleaseSummary(release).row(project: project)) }
        Output.line(table.text(width: tables.width))
        for release in releases where release.state != "ended" || release.release == releases.first?.release {
            if let sentence = ReleaseSummary(release).stopSentence { Output.line(sentence) }
        }
    }
}

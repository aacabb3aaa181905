import HearthAdmin
import HearthArguments
import HearthCalls
import HearthCatalog
import HearthLocalCommands
import HearthWire

struct ModelAliasCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alias",
        abstract: "Give an alias to a version of a model, or move it to another version.",
        discussion: """
            Commands take the alias in place of the version's number. An alias gives nothing to devices: a release, a pin or an \
            experiment keeps the version that the alias named when you made it. A model may have 20 aliases.
            """,
        examples: [
            "hearth models alias flowers champion 3",
            "hearth models alias flowers stable champion",
            "hearth models alias flowers champion --remove",
        ])

    @OptionGroup var model: ModelName

    @Argument(help: "The alias: small letters, digits and hyphens, the first a letter.")
    var alias: String

    @Argument(help: "Version that gets it: a number, or another alias.")
    var version: VersionArgument?

    @Flag(help: "Remove the alias.")
    var remove = false

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard WireNames.isVersionAlias(alias) else {
            throw ValidationError(
                "An alias has 1 to 32 small letters, digits and hyphens, of which the first is a letter: '\(alias)'.")
        }
        guard (version == nil) == remove else {
            throw ValidationError("Give the version that gets the alias, or --remove.")
        }
    }

    func run() throws {
        let client = try admin.client()
        let name = try model.find(client).resourceName()
        guard let version else {
            let removed = try client.removeAlias(alias, of: name)
            if admin.json { return try Output.json(removed) }
            return Output.success(
                "Removed the alias \(alias) of '\(model.name)', which was version \(removed.version).")
        }
        let moved = try client.setAlias(alias, to: version.number(of: name, client), of: name)
        if admin.json { return try Output.json(moved) }
        guard moved.unchanged != true else {
            return Output.line("Nothing changed: \(alias) is version \(moved.version) of '\(model.name)' already.")
        }
        let past = moved.previousVersion.map { "; it was version \($0)" } ?? ""
        Output.success("\(alias) is version \(moved.version) of '\(model.name)' now\(past).")
    }
}

struct ModelAliasesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aliases", abstract: "List the aliases of a model's versions.",
        examples: ["hearth models aliases flowers"])

    @OptionGroup var model: ModelName
    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let aliases = try client.aliases(of: model.find(client).resourceName())
        if admin.json { return try Output.json(AliasBodies.List(aliases: aliases)) }
        guard !aliases.isEmpty else { return Output.line("'\(model.name)' has no aliases.") }
        var table = TextTable([
            "ALIAS", .number("VERSION"), .text("SINCE (UTC)", dropOrder: 1),
            .text("BY", dropOrder: 2, isTruncatable: true),
        ])
        let project = try client.project()
        for alias in aliases {
            table.append([
                alias.alias, String(alias.version), TimeArgument.short(alias.updateTime),
                ServiceAccountName.short(alias.updatedBy, project: project),
            ])
        }
        Output.line(table.text(width: tables.width))
    }
}

struct ModelNoteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "note",
        abstract: "Write a note about a version of a model, in place of the note that it has.",
        examples: [
            "hearth models note flowers 3 \"retrained on May's images\"",
            "hearth models note flowers champion --remove",
        ])

    @OptionGroup var model: ModelName

    @Argument(help: "The version: a number or an alias.")
    var version: VersionArgument

    @Argument(help: "The note: one line, at most 500 bytes.")
    var note: String?

    @Flag(help: "Remove the note.")
    var remove = false

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard (note ?? "").isEmpty == remove else { throw ValidationError("Give the text of the note, or --remove.") }
        if let note { try NoteText.check(note) }
    }

    func run() throws {
        let client = try admin.client()
        let name = try model.find(client).resourceName()
        let changed = try client.setNote(remove ? nil : note, ofVersion: version.number(of: name, client), of: name)
        if admin.json { return try Output.json(changed) }
        Output.success(
            remove
                ? "Removed the note of version \(changed.version) of '\(model.name)'."
                : "Changed the note of version \(changed.version) of '\(model.name)'.")
    }
}

/// A note on the command line.
enum NoteText {
    static func check(_ note: String) throws(ValidationError) {
        do throws(CatalogError) {
            try VersionNote.check(note)
        } catch {
            throw ValidationError(error.message)
        }
    }
}

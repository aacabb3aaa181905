import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.search.name,
        abstract: CommandSummary.search.abstract,
        discussion: """
            Finds models by display name, tag, id or alias of a version, parameters and conditions of the Remote \
            Config template for apps, and \
            experiments: at most 10 of each. Upper and lower case are the same. The whole id of an installation finds it too.
            """,
        examples: [
            "hearth search flowers",
            "hearth search button --json",
        ])

    @Argument(help: "A part of a name, 1 to 100 characters.")
    var text: String

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard (1...SearchBodies.queryLimit).contains(text.count) else {
            throw ValidationError("The text must have 1 to \(SearchBodies.queryLimit) characters.")
        }
    }

    func run() throws {
        let results = try admin.client().search(text)
        if admin.json { return try Output.json(results) }
        Output.line(Self.text(results, width: tables.width))
    }

    static func text(_ results: SearchBodies.Results, width: Int?) -> String {
        var table = TextTable(["KIND", "NAME", .text("", isTruncatable: true)])
        for model in results.models {
            let aliases = (model.aliases ?? []).map { "\($0.alias) is version \($0.version)" }
            table.append([
                "model", model.displayName, (["id \(model.model)"] + model.tags + aliases).joined(separator: ", "),
            ])
        }
        for key in results.parameters { table.append(["parameter", key]) }
        for name in results.conditions { table.append(["condition", name]) }
        for experiment in results.experiments { table.append(["experiment", experiment.name, experiment.state]) }
        if let id = results.installation { table.append(["installation", id]) }
        return table.isEmpty ? "Nothing has '\(results.query.printable)' in its name." : table.text(width: width)
    }
}

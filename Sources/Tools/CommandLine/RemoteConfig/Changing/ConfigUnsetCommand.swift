import HearthArguments
import HearthLocalCommands
import HearthWire

struct ConfigUnsetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Take a parameter away, or only its value under a condition.",
        discussion:
            "Devices then use the default that the app itself has. hearth remoteconfig rollback brings it back.",
        examples: [
            "hearth remoteconfig unset welcome",
            "hearth remoteconfig unset threshold --condition beta",
        ])

    @Argument(help: "Key of the parameter.")
    var key: String

    @Option(help: ArgumentHelp("Only the value where this condition holds.", valueName: "name"))
    var condition: String?

    @OptionGroup var namespace: NamespaceOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let change = try TemplateChange(client: admin.client(), namespace: namespace, admin: admin)
        try change.edit { try apply(to: &$0) }
    }

    func apply(to template: inout ConfigTemplate) throws(CommandFailure) {
        guard var parameter = template[parameter: key] else {
            throw CommandFailure(
                "There is no parameter '\(key)'. `hearth remoteconfig get\(namespace.suggestion)` shows what there is.")
        }
        guard let condition else {
            template[parameter: key] = nil
            return
        }
        guard parameter.conditionalValues?[condition] != nil else {
            let names = (parameter.conditionalValues ?? [:]).keys.sorted().map { "'\($0)'" }
            throw CommandFailure(
                "'\(key)' has no value under '\(condition)'; it has "
                    + (names.isEmpty ? "only a default." : "some under \(names.joined(separator: ", "))."))
        }
        parameter.conditionalValues?[condition] = nil
        template[parameter: key] = parameter
    }
}

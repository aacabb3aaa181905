import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthWire

struct ConfigSetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set a parameter's default value, or its value under a condition.",
        discussion: "Makes the parameter if it does not exist. Its group, description and other values stay the same.",
        examples: [
            "hearth remoteconfig set welcome 'Good morning'",
            "hearth remoteconfig set threshold 0.7 --type number --condition beta",
        ])

    enum ValueType: String, CaseIterable, ExpressibleByArgument {
        case string
        case boolean
        case number
        case json
    }

    @Argument(help: "Key of the parameter.")
    var key: String

    @Argument(help: "The value.")
    var value: String

    @Option(help: "Type of the values. Default: the present type; string for a new parameter.")
    var type: ValueType?

    @Option(
        help: ArgumentHelp(
            "Set the value for devices that meet this condition. Without it: the default value.", valueName: "name"))
    var condition: String?

    @OptionGroup var namespace: NamespaceOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let change = try TemplateChange(client: admin.client(), namespace: namespace, admin: admin)
        try change.edit { try apply(to: &$0) }
    }

    func apply(to template: inout RemoteConfigTemplate) throws(CommandFailure) {
        var parameter =
            template[parameter: key] ?? RemoteConfigParameter(valueType: ValueType.string.rawValue.uppercased())
        if let type { parameter.valueType = type.rawValue.uppercased() }
        if let condition {
            guard (template.conditions ?? []).contains(where: { $0.name == condition }) else {
                throw CommandFailure(
                    "There is no condition '\(condition)'. `hearth remoteconfig conditions\(namespace.suggestion)` lists them."
                )
            }
            parameter.conditionalValues = (parameter.conditionalValues ?? [:]).merging([condition: .text(value)]) { $1 }
        } else {
            parameter.defaultValue = .text(value)
        }
        template[parameter: key] = parameter
    }
}

struct ConfigUnsetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Remove a parameter, or only its value under a condition.",
        discussion:
            "Devices then use the app's own default value. hearth remoteconfig rollback undoes the change.",
        examples: [
            "hearth remoteconfig unset welcome",
            "hearth remoteconfig unset threshold --condition beta",
        ])

    @Argument(help: "Key of the parameter.")
    var key: String

    @Option(help: ArgumentHelp("Remove only the value under this condition.", valueName: "name"))
    var condition: String?

    @OptionGroup var namespace: NamespaceOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let change = try TemplateChange(client: admin.client(), namespace: namespace, admin: admin)
        try change.edit { try apply(to: &$0) }
    }

    func apply(to template: inout RemoteConfigTemplate) throws(CommandFailure) {
        guard var parameter = template[parameter: key] else {
            throw CommandFailure(
                "There is no parameter '\(key)'. `hearth remoteconfig get\(namespace.suggestion)` lists the parameters."
            )
        }
        guard let condition else {
            template[parameter: key] = nil
            return
        }
        guard parameter.conditionalValues?[condition] != nil else {
            let names = (parameter.conditionalValues ?? [:]).keys.sorted().map { "'\($0)'" }
            throw CommandFailure(
                "'\(key)' has no value under '\(condition)'; it has "
                    + (names.isEmpty ? "only a default value." : "values under \(names.joined(separator: ", "))."))
        }
        parameter.conditionalValues?[condition] = nil
        template[parameter: key] = parameter
    }
}

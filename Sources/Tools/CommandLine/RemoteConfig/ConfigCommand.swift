import HearthArguments
import HearthLocalCommands

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.remoteConfig.name,
        formerNames: CommandSummary.remoteConfig.formerNames,
        abstract: CommandSummary.remoteConfig.abstract,
        discussion: """
            A template has parameters, and conditions under which they have other values. Each change makes a new version. \
            See docs/guides/remote-config.md.
            """,
        examples: [
            "hearth remoteconfig set welcome 'Good morning'",
            "hearth remoteconfig get --output template.json",
            "hearth remoteconfig versions",
        ],
        subcommands: [
            ConfigGetCommand.self, ConfigPutCommand.self, ConfigSetCommand.self, ConfigUnsetCommand.self,
            ConfigConditionsCommand.self, ConfigVersionsCommand.self, ConfigRollbackCommand.self,
            ConfigDefaultsCommand.self,
        ])
}

/// Whom a template is for.
enum ConfigNamespace: String, CaseIterable, ExpressibleByArgument {
    /// Devices, for whom the server evaluates it.
    case client = "firebase"
    /// Programs with an Admin SDK, which evaluate it themselves.
    case server = "firebase-server"
}

/// `--namespace` of commands about a template.
struct NamespaceOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The template: firebase is for devices, firebase-server for programs with an Admin SDK.",
            valueName: "name"))
    var namespace = ConfigNamespace.client

    /// As commands that are suggested need it.
    var suggestion: String { namespace == .client ? "" : " --namespace \(namespace.rawValue)" }
}

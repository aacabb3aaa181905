import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthRemoteConfigTemplates
import HearthWire

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.remoteConfig.name,
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
            ConfigEvaluateCommand.self, ConfigDefaultsCommand.self,
        ])
}

extension RemoteConfigNamespace: ExpressibleByArgument {}

/// The option `--namespace` of commands about a template.
struct NamespaceOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The template: firebase is for devices, firebase-server for programs with an Admin SDK.",
            valueName: "name"))
    var namespace = RemoteConfigNamespace.client

    /// The option in a suggested command; empty for the default.
    var suggestion: String { namespace == .client ? "" : " --namespace \(namespace.rawValue)" }
}

extension RemoteConfigTemplate {
    /// The parameter, in any group; nil removes it. A new parameter gets no group.
    subscript(parameter key: String) -> RemoteConfigParameter? {
        get { allParameters.first { $0.key == key }?.parameter }
        set {
            if let group = allParameters.first(where: { $0.key == key })?.group {
                parameterGroups?[group]?.parameters?[key] = newValue
            } else {
                var plain = parameters ?? [:]
                plain[key] = newValue
                parameters = plain
            }
        }
    }
}

/// A command and the commands above it.
struct CommandPath: CustomStringConvertible {
    let ancestors: [any ParsableCommand.Type]
    let leaf: any ParsableCommand.Type

    init(root: any ParsableCommand.Type) {
        ancestors = []
        leaf = root
    }

    private init(ancestors: [any ParsableCommand.Type], leaf: any ParsableCommand.Type) {
        self.ancestors = ancestors
        self.leaf = leaf
    }

    func appending(_ command: any ParsableCommand.Type) -> CommandPath {
        CommandPath(ancestors: ancestors + [leaf], leaf: command)
    }

    var configuration: CommandConfiguration { leaf.configuration }

    /// The names from the root down: `hearth models push`.
    var description: String {
        (ancestors + [leaf]).map(Self.name).joined(separator: " ")
    }

    /// The names of the help option, inherited from the nearest command that sets them; short ones first.
    var helpNames: [ArgumentName] {
        let nearest = ([leaf] + ancestors.reversed()).lazy.compactMap { $0.configuration.helpNames }.first
        return (nearest ?? [.short, .long]).names(for: "help")
    }

    /// The commands below this one that help lists and suggestions know.
    var listing: [CommandSummary] {
        let configuration = configuration
        let all =
            configuration.listing.isEmpty ? configuration.subcommands.map { CommandSummary($0) } : configuration.listing
        return all.filter(\.isListed)
    }

    func subcommand(named name: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { Self.name(of: $0) == name }
    }

    /// The path to a command in the tree of this path. This path itself if the tree lacks the command.
    func path(to command: any ParsableCommand.Type) -> CommandPath {
        if leaf == command { return self }
        return CommandPath(root: ancestors.first ?? leaf).descend(to: command) ?? self
    }

    private func descend(to command: any ParsableCommand.Type) -> CommandPath? {
        if leaf == command { return self }
        return configuration.subcommands.lazy.compactMap { appending($0).descend(to: command) }.first
    }

    static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? String(describing: command).kebabCased
    }
}

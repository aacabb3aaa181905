/// The name and the purpose of a command, as the help of its parent lists them.
package struct CommandSummary: Hashable, Sendable {
    package let name: String
    package let abstract: String
    /// Whether help and suggestions name the command.
    package let isListed: Bool

    package init(name: String, abstract: String, isListed: Bool = true) {
        self.name = name
        self.abstract = abstract
        self.isListed = isListed
    }

    package init(_ command: any ParsableCommand.Type) {
        let configuration = command.configuration
        self.init(
            name: CommandPath.name(of: command), abstract: configuration.abstract, isListed: configuration.shouldDisplay
        )
    }
}

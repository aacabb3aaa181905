/// A command's name, help texts and subcommands.
package struct CommandConfiguration: Sendable {
    /// The name on the command line; `nil` takes the type's name in kebab case.
    package var commandName: String?
    /// Old names of subcommands and of options (with their dashes), each with its new name. The parser refuses an old name with
    /// an error that says the new one.
    package var renamed: [String: String]
    /// One line, shown as OVERVIEW and in the parent's list.
    package var abstract: String
    /// Replaces the generated usage text.
    package var usage: String?
    /// Paragraphs below the overview.
    package var discussion: String
    /// The text of `--version`. The option exists only if this is not empty.
    package var version: String
    /// Whether the parent lists the command.
    package var shouldDisplay: Bool
    /// The commands below this one.
    package var subcommands: [any ParsableCommand.Type]
    /// What help lists and suggestions know, if these are not just the subcommands: a program may leave some to another program.
    package var listing: [CommandSummary]
    /// The command that runs if the arguments name no subcommand.
    package var defaultSubcommand: (any ParsableCommand.Type)?
    /// The names of the help option; `nil` takes the parent's, at the root `-h` and `--help`. An empty list removes it.
    package var helpNames: NameSpecification?

    package init(
        commandName: String? = nil,
        renamed: [String: String] = [:],
        abstract: String = "",
        usage: String? = nil,
        discussion: String = "",
        version: String = "",
        shouldDisplay: Bool = true,
        subcommands: [any ParsableCommand.Type] = [],
        listing: [CommandSummary] = [],
        defaultSubcommand: (any ParsableCommand.Type)? = nil,
        helpNames: NameSpecification? = nil
    ) {
        self.commandName = commandName
        self.renamed = renamed
        self.abstract = abstract
        self.usage = usage
        self.discussion = discussion
        self.version = version
        self.shouldDisplay = shouldDisplay
        self.subcommands = subcommands
        self.listing = listing
        self.defaultSubcommand = defaultSubcommand
        self.helpNames = helpNames
    }
}

extension CommandConfiguration {
    /// The title of the examples at the end of a discussion.
    private static let examplesTitle = "EXAMPLES:"
    private static let examplesIndent = "  "

    /// A configuration with examples: whole command lines, each of which works as written.
    ///
    /// They become the end of the discussion, so that this type needs only what swift-argument-parser has.
    package init(
        commandName: String? = nil,
        renamed: [String: String] = [:],
        abstract: String = "",
        usage: String? = nil,
        discussion: String = "",
        examples: [String],
        version: String = "",
        shouldDisplay: Bool = true,
        subcommands: [any ParsableCommand.Type] = [],
        listing: [CommandSummary] = [],
        defaultSubcommand: (any ParsableCommand.Type)? = nil,
        helpNames: NameSpecification? = nil
    ) {
        let section = [Self.examplesTitle] + examples.map { Self.examplesIndent + $0 }
        let parts = [discussion, examples.isEmpty ? "" : section.joined(separator: "\n")]
        self.init(
            commandName: commandName, renamed: renamed, abstract: abstract, usage: usage,
            discussion: parts.filter { !$0.isEmpty }.joined(separator: "\n\n"), version: version,
            shouldDisplay: shouldDisplay, subcommands: subcommands, listing: listing,
            defaultSubcommand: defaultSubcommand, helpNames: helpNames)
    }

    /// The examples at the end of the discussion; empty without such a section.
    package var examples: [String] {
        discussionLines.drop { $0 != Self.examplesTitle }.dropFirst().map {
            String($0.dropFirst(Self.examplesIndent.count))
        }
    }

    /// The discussion up to its examples.
    var discussionBeforeExamples: String {
        var lines = Array(discussionLines.prefix { $0 != Self.examplesTitle })
        while lines.last == "" { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    private var discussionLines: [Substring] { discussion.split(separator: "\n", omittingEmptySubsequences: false) }
}

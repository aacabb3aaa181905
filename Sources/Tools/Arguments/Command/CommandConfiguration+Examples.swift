extension CommandConfiguration {
    /// What stands above the examples at the end of a discussion.
    private static let examplesTitle = "EXAMPLES:"
    private static let examplesIndent = "  "

    /// A configuration with examples: whole command lines, each of which works as it is written.
    ///
    /// They become the end of the discussion, so that this needs no more than what swift-argument-parser has.
    public init(
        commandName: String? = nil,
        formerNames: [String] = [],
        abstract: String = "",
        usage: String? = nil,
        discussion: String = "",
        examples: [String],
        version: String = "",
        shouldDisplay: Bool = true,
        subcommands: [any ParsableCommand.Type] = [],
        defaultSubcommand: (any ParsableCommand.Type)? = nil,
        helpNames: NameSpecification? = nil
    ) {
        let section = [Self.examplesTitle] + examples.map { Self.examplesIndent + $0 }
        let parts = [discussion, examples.isEmpty ? "" : section.joined(separator: "\n")]
        self.init(
            commandName: commandName, formerNames: formerNames, abstract: abstract, usage: usage,
            discussion: parts.filter { !$0.isEmpty }.joined(separator: "\n\n"), version: version,
            shouldDisplay: shouldDisplay, subcommands: subcommands, defaultSubcommand: defaultSubcommand,
            helpNames: helpNames)
    }

    /// The examples at the end of the discussion; none when it has no such section.
    public var examples: [String] {
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

/// The help page of a command.
struct HelpPage {
    let path: CommandPath
    let columns: Int

    /// The page without a newline at its end.
    var text: String {
        let configuration = path.configuration
        let sections =
            [
                configuration.abstract.isEmpty
                    ? "" : "OVERVIEW: \(configuration.abstract)".indented(by: 0, columns: columns),
                configuration.discussionBeforeExamples.indented(by: 0, columns: columns),
                UsageText(path: path).text(label: "USAGE: ", columns: columns),
                section("ARGUMENTS", shown.filter(\.isPositional).map(HelpEntry.init)),
            ] + optionSections + [
                section("OPTIONS", options(in: "") + builtInEntries),
                section("SUBCOMMANDS", subcommandEntries),
                subcommandHint,
                examples,
            ]
        return sections.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// The groups with a title of their own, in the order of their first option.
    private var optionSections: [String] {
        var titles: [String] = []
        for title in shown.map(\.section) where !title.isEmpty && !titles.contains(title) { titles.append(title) }
        return titles.map { section($0.uppercased(), options(in: $0)) }
    }

    private func options(in section: String) -> [HelpEntry] {
        shown.filter { !$0.isPositional && $0.section == section }.map(HelpEntry.init)
    }

    private var arguments: ArgumentSet { ArgumentSet(path.leaf) }

    private var shown: [ArgumentDefinition] { arguments.definitions.filter(\.isShown) }

    /// Last, where they are seen first; never wrapped, so that they can be copied.
    private var examples: String {
        let examples = path.configuration.examples
        return examples.isEmpty ? "" : (["EXAMPLES:"] + examples.map { "  " + $0 }).joined(separator: "\n")
    }

    private func section(_ title: String, _ entries: [HelpEntry]) -> String {
        guard !entries.isEmpty else { return "" }
        return ([title + ":"] + entries.map { $0.text(columns: columns) }).joined(separator: "\n")
    }

    private var builtInEntries: [HelpEntry] {
        let arguments = arguments
        var entries: [HelpEntry] = []
        if !path.configuration.version.isEmpty && arguments.named(.long("version")) == nil {
            entries.append(HelpEntry(label: "--version", text: "Show the version."))
        }
        let helpNames = path.helpNames.filter { arguments.named($0) == nil }
        if !helpNames.isEmpty {
            let label = helpNames.map(\.description).joined(separator: ", ")
            entries.append(HelpEntry(label: label, text: "Show help information."))
        }
        return entries
    }

    private var subcommandEntries: [HelpEntry] {
        let configuration = path.configuration
        return configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { command in
            let isDefault = configuration.defaultSubcommand.map { $0 == command } ?? false
            let label = CommandPath.name(of: command) + (isDefault ? " (default)" : "")
            return HelpEntry(label: label, text: command.configuration.abstract)
        }
    }

    private var subcommandHint: String {
        guard !subcommandEntries.isEmpty else { return "" }
        let names = ["\(CommandPath(root: path.ancestors.first ?? path.leaf))", "help"]
        let below = (path.ancestors.dropFirst() + (path.ancestors.isEmpty ? [] : [path.leaf])).map(CommandPath.name)
        return "  See '\((names + below).joined(separator: " ")) <subcommand>' for detailed help."
    }
}

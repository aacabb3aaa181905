import Foundation

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

    /// The groups with their own titles, in the order of their first option.
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

    /// Last, where readers see them first. Never wrapped, so that they can be copied.
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
        let defaultName = path.configuration.defaultSubcommand.map(CommandPath.name)
        return path.listing.map { command in
            HelpEntry(label: command.name + (command.name == defaultName ? " (default)" : ""), text: command.abstract)
        }
    }

    private var subcommandHint: String {
        guard !subcommandEntries.isEmpty else { return "" }
        let names = ["\(CommandPath(root: path.ancestors.first ?? path.leaf))", "help"]
        let below = (path.ancestors.dropFirst() + (path.ancestors.isEmpty ? [] : [path.leaf])).map(CommandPath.name)
        return "  See '\((names + below).joined(separator: " ")) <subcommand>' for detailed help."
    }
}

/// One entry of a help section: a label, and its meaning in a second column.
struct HelpEntry {
    /// The first column of the meaning.
    static let textColumn = 26

    let label: String
    let text: String

    init(label: String, text: String) {
        self.label = label
        self.text = text
    }

    init(_ definition: ArgumentDefinition) {
        let declaration = definition.declaration
        var notes: [String] = []
        if !declaration.allowedValues.isEmpty {
            notes.append("values: " + declaration.allowedValues.joined(separator: ", "))
        }
        if !declaration.defaultText.isEmpty {
            notes.append("default: " + Self.defaultText(definition))
        }
        let note = notes.isEmpty ? "" : "(\(notes.joined(separator: "; ")))"
        label = Self.label(definition)
        text = [
            [declaration.help.abstract, note].filter { !$0.isEmpty }.joined(separator: " "),
            declaration.help.discussion,
        ]
        .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The wrapped entry. The meaning of a long label begins on the next line.
    func text(columns: Int) -> String {
        let first = "  " + label
        guard !text.isEmpty else { return first }
        let block = text.indented(by: Self.textColumn, columns: columns)
        if first.displayWidth >= Self.textColumn { return first + "\n" + block }
        let padding = String(repeating: " ", count: Self.textColumn - first.displayWidth)
        return first + padding + String(block.dropFirst(Self.textColumn))
    }

    private static func label(_ definition: ArgumentDefinition) -> String {
        guard !definition.isPositional else { return definition.display }
        let names = definition.names.map(\.description).joined(separator: ", ")
        let inverse = definition.inverseNames.map { "/\($0)" }.joined()
        return names + inverse + (definition.takesValue ? " <\(definition.valueName)>" : "")
    }

    /// The default of a flag with an inversion is the name that gives it.
    private static func defaultText(_ definition: ArgumentDefinition) -> String {
        let text = definition.declaration.defaultText
        guard !definition.takesValue else { return text }
        let names = text == ArgumentDeclaration.flagOff ? definition.inverseNames : definition.names
        return (names.first { !$0.isShort } ?? names.first)?.description ?? text
    }
}

/// The width at which help and usage wrap.
enum HelpColumns {
    /// Below this, wrapping makes help harder to read than long lines.
    static let minimum = 40
    static let standard = 80

    /// The given width, else the environment's `COLUMNS`, else 80; never below ``minimum``.
    static func resolve(
        _ columns: Int?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Int {
        max(minimum, columns ?? environment["COLUMNS"].flatMap { Int($0) } ?? standard)
    }
}

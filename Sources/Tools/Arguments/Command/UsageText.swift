/// The usage of a command: its name and its arguments. Optional ones are in brackets.
struct UsageText {
    /// With more options, usage says `[<options>]`, and the help page lists them.
    static let maximumOptions = 12

    let path: CommandPath

    /// The wrapped usage after a label. Later lines are indented to the label's width.
    func text(label: String, columns: Int) -> String {
        if let custom = path.configuration.usage { return label + custom }
        let lines = TextWrapping.fill(pieces(isShort: false), columns: columns - label.count)
        return label + lines.joined(separator: "\n" + String(repeating: " ", count: label.count))
    }

    /// One line with the required arguments, and a hint that there are options.
    var line: String {
        if let custom = path.configuration.usage { return String(custom.prefix { $0 != "\n" }) }
        return pieces(isShort: true).joined(separator: " ")
    }

    private func pieces(isShort: Bool) -> [String] {
        let shown = ArgumentSet(path.leaf).definitions.filter(\.isShown)
        let named = shown.filter { !$0.isPositional }
        let isCollapsed = isShort ? named.contains { !$0.declaration.isRequired } : named.count > Self.maximumOptions
        let listed = isCollapsed ? named.filter(\.declaration.isRequired) : named
        return ["\(path)"]
            + listed.map(Self.text)
            + (isCollapsed ? ["[<options>]"] : [])
            + shown.filter(\.isPositional).map(Self.text)
            + (path.configuration.subcommands.isEmpty ? [] : ["<subcommand>"])
    }

    private static func text(_ definition: ArgumentDefinition) -> String {
        let text = definition.repeatingDisplay
        let inverse = definition.inverseNames.map { " [\($0)]" }.joined()
        return (definition.declaration.isRequired ? text : "[\(text)]") + inverse
    }
}

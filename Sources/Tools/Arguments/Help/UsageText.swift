/// The usage of a command: its name and its arguments in brackets where they may be left out.
struct UsageText {
    /// With more options than this, usage says `[<options>]` and leaves the list to the help page.
    static let maximumOptions = 12

    let path: CommandPath

    /// The usage after a label, wrapped; later lines are indented to the label's width.
    func text(label: String, columns: Int) -> String {
        if let custom = path.configuration.usage { return label + custom }
        let lines = TextWrapping.fill(pieces(isShort: false), columns: columns - label.count)
        return label + lines.joined(separator: "\n" + String(repeating: " ", count: label.count))
    }

    /// One line with what has to be given; options that may be left out are only hinted at.
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

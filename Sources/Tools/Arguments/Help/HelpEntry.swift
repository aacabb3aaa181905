/// One entry of a help section: a label and, in a column beside it, what it means.
struct HelpEntry {
    /// Where the second column starts.
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

    /// The entry, wrapped. A label too long for its column has the text below it.
    func text(columns: Int) -> String {
        let first = "  " + label
        guard !text.isEmpty else { return first }
        let block = text.indented(by: Self.textColumn, columns: columns)
        if first.displayWidth >= Self.textColumn { return first + "\n" + block }
        let padding = String(repeating: " ", count: Self.textColumn - first.displayWidth)
        return first + padding + block.dropFirst(Self.textColumn)
    }

    private static func label(_ definition: ArgumentDefinition) -> String {
        guard !definition.isPositional else { return definition.display }
        let names = definition.names.map(\.description).joined(separator: ", ")
        let inverse = definition.inverseNames.map { "/\($0)" }.joined()
        return names + inverse + (definition.takesValue ? " <\(definition.valueName)>" : "")
    }

    /// The default of an inverted flag is the name that stands for it.
    private static func defaultText(_ definition: ArgumentDefinition) -> String {
        let text = definition.declaration.defaultText
        guard !definition.takesValue else { return text }
        let names = text == ArgumentDeclaration.flagOff ? definition.inverseNames : definition.names
        return (names.first { !$0.isShort } ?? names.first)?.description ?? text
    }
}

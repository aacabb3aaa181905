/// One argument of a command: a declaration and the property that it belongs to.
struct ArgumentDefinition {
    /// The path of the property: the names of the option groups around it, then its own.
    let key: [String]
    let declaration: ArgumentDeclaration
    /// The names that give the value or switch a flag on, short ones first; empty for positional arguments.
    let names: [ArgumentName]
    /// The names that switch a flag off.
    let inverseNames: [ArgumentName]
    /// The title of its help section; empty for the common section.
    let section: String
    private let property: String

    init(key: [String], declaration: ArgumentDeclaration, section: String = "") {
        self.key = key
        self.declaration = declaration
        self.section = section
        property = key.last ?? ""
        switch declaration.kind {
        case .positional:
            names = []
            inverseNames = []
        case .option(let specification):
            names = specification.names(for: property)
            inverseNames = []
        case .flag(let specification, let inversion):
            names = specification.names(for: property)
            inverseNames = names.compactMap { name in
                guard case .long(let text) = name, let inversion else { return nil }
                return .long(inversion.prefix + text)
            }
        }
    }

    var isPositional: Bool {
        if case .positional = declaration.kind { true } else { false }
    }

    var takesValue: Bool {
        if case .flag = declaration.kind { false } else { true }
    }

    var isShown: Bool { declaration.help.visibility.isShown }

    /// The name in messages and usage: the first long one, if there is one.
    var preferredName: ArgumentName? { names.first { !$0.isShort } ?? names.first }

    var valueName: String {
        if let name = declaration.help.valueName { return name }
        if case .long(let name) = preferredName { return name }
        return property.kebabCased
    }

    /// `<image>`, `--model <model>` or `--json`.
    var display: String {
        guard let preferredName else { return "<\(valueName)>" }
        return takesValue ? "\(preferredName) <\(valueName)>" : "\(preferredName)"
    }

    /// The display, followed by dots if several values may be given: `<files> ...`.
    var repeatingDisplay: String { display + (declaration.isRepeating ? " ..." : "") }
}

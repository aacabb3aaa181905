/// A property wrapper that declares one argument.
protocol DeclaredArgument {
    var declaration: ArgumentDeclaration? { get }
}

/// A property wrapper that holds a group of arguments.
protocol DeclaredGroup {
    var group: any ParsableArguments { get }
    var title: String { get }
}

/// The arguments of a command, found by reflection over a new value of it, in the order of their properties.
struct ArgumentSet {
    private(set) var definitions: [ArgumentDefinition] = []
    /// The initial values of stored properties without a wrapper.
    private(set) var plainValues: [[String]: Any] = [:]

    init(_ type: any ParsableArguments.Type) {
        collect(type.init(), under: [], section: "")
    }

    private mutating func collect(_ arguments: any ParsableArguments, under prefix: [String], section: String) {
        for child in Mirror(reflecting: arguments).children {
            guard let label = child.label else { continue }
            // The compiler stores a wrapped property `name` as `_name`.
            let key = prefix + [label.hasPrefix("_") ? String(label.dropFirst()) : label]
            switch child.value {
            case let argument as any DeclaredArgument:
                guard let declaration = argument.declaration else { continue }
                definitions.append(ArgumentDefinition(key: key, declaration: declaration, section: section))
            case let group as any DeclaredGroup:
                collect(group.group, under: key, section: group.title.isEmpty ? section : group.title)
            default:
                plainValues[prefix + [label]] = child.value
            }
        }
    }

    /// The argument with this name, and whether the name switches a flag off.
    func named(_ name: ArgumentName) -> (definition: ArgumentDefinition, isInverse: Bool)? {
        for definition in definitions {
            if definition.names.contains(name) { return (definition, false) }
            if definition.inverseNames.contains(name) { return (definition, true) }
        }
        return nil
    }

    /// The names that may be suggested to a user.
    var shownNames: [ArgumentName] {
        definitions.filter(\.isShown).flatMap { $0.names + $0.inverseNames }
    }
}

/// The declaration of an argument by a property wrapper, without the type of its value.
struct ArgumentDeclaration {
    enum Kind {
        case positional
        case option(NameSpecification)
        case flag(NameSpecification, FlagInversion?)
    }

    let kind: Kind
    let help: ArgumentHelp
    var isRequired = false
    var isRepeating = false
    /// The default as help shows it; empty if it is not worth showing.
    var defaultText = ""
    var allowedValues: [String] = []
    /// What `convert` accepts, in words; `nil` for types that do not say it.
    var expectation: String?
    /// Converts the texts of the argument, in order, into the property's value. Without texts, gives the default.
    let convert: ([String]) throws(ConversionError) -> Any
}

extension ArgumentDeclaration {
    /// What to give instead of an invalid value: one of the allowed values, or what the type expects.
    var remedy: String? {
        let allowed = allowedValues.map { "'\($0)'" }
        guard let last = allowed.last else { return expectation }
        let others = allowed.dropLast().joined(separator: ", ")
        return others.isEmpty ? last : "one of \(others) or \(last)"
    }
}

/// Why texts cannot be converted.
enum ConversionError: Error {
    case missing
    case invalid(String)
}

extension ArgumentDeclaration {
    static func single<T: ExpressibleByArgument>(_ kind: Kind, initial: T?, help: ArgumentHelp?) -> Self {
        var result = ArgumentDeclaration(kind: kind, help: help ?? "") { texts throws(ConversionError) in
            guard let value = try T.values(texts).last ?? initial else { throw .missing }
            return value
        }
        result.isRequired = initial == nil
        result.describe(T.self, initial: [initial])
        return result
    }

    static func optional<T: ExpressibleByArgument>(_ kind: Kind, initial: T?, help: ArgumentHelp?) -> Self {
        var result = ArgumentDeclaration(kind: kind, help: help ?? "") { texts throws(ConversionError) in
            try T.values(texts).last ?? initial as Any
        }
        result.describe(T.self, initial: [initial])
        return result
    }

    static func array<T: ExpressibleByArgument>(_ kind: Kind, initial: [T]?, help: ArgumentHelp?) -> Self {
        var result = ArgumentDeclaration(kind: kind, help: help ?? "") { texts throws(ConversionError) in
            let values = try T.values(texts)
            guard values.isEmpty else { return values }
            guard let initial else { throw .missing }
            return initial
        }
        result.isRequired = initial == nil
        result.isRepeating = true
        result.describe(T.self, initial: initial ?? [])
        return result
    }

    private mutating func describe<T: ExpressibleByArgument>(_ type: T.Type, initial: [T?]) {
        defaultText = initial.compactMap { $0?.defaultValueDescription }.joined(separator: ", ")
        allowedValues = T.allValueStrings
        expectation = (T.self as? any ValueExpectation.Type)?.expectation
    }
}

extension ArgumentDeclaration {
    /// The text for the name that switches a flag off.
    static let flagOff = "false"
    /// The text for the name that switches a flag on.
    static let flagOn = "true"

    static func flag(_ name: NameSpecification, initial: Bool, help: ArgumentHelp?) -> Self {
        ArgumentDeclaration(kind: .flag(name, nil), help: help ?? "") { texts in
            texts.isEmpty ? initial : true
        }
    }

    static func invertibleFlag(
        _ name: NameSpecification, _ inversion: FlagInversion, initial: Bool, help: ArgumentHelp?
    ) -> Self {
        var result = ArgumentDeclaration(kind: .flag(name, inversion), help: help ?? "") { texts in
            texts.last.map { $0 == flagOn } ?? initial
        }
        result.defaultText = initial ? flagOn : flagOff
        return result
    }

    static func invertibleOptionalFlag(
        _ name: NameSpecification, _ inversion: FlagInversion, initial: Bool?, help: ArgumentHelp?
    ) -> Self {
        var result = ArgumentDeclaration(kind: .flag(name, inversion), help: help ?? "") { texts in
            texts.last.map { $0 == flagOn } ?? initial as Any
        }
        result.defaultText = initial.map { $0 ? flagOn : flagOff } ?? ""
        return result
    }
}

extension ExpressibleByArgument {
    fileprivate static func values(_ texts: [String]) throws(ConversionError) -> [Self] {
        var values: [Self] = []
        for text in texts {
            guard let value = Self(argument: text) else { throw .invalid(text) }
            values.append(value)
        }
        return values
    }
}

/// The content of a property wrapper: the declaration before parsing, the value afterwards.
enum ArgumentState<Value> {
    case declared(ArgumentDeclaration)
    case parsed(Value)

    var declaration: ArgumentDeclaration? {
        if case .declared(let declaration) = self { declaration } else { nil }
    }

    /// Reading a value before parsing is a programmer error. No user input can cause it.
    var value: Value {
        switch self {
        case .parsed(let value): value
        case .declared: preconditionFailure("An argument was read before it was parsed; use parse(_:) or main()")
        }
    }
}

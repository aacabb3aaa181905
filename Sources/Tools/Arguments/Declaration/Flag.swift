/// A switch that takes no value: `--json`, or with an inversion `--json` and `--no-json`. The last occurrence counts.
@propertyWrapper
package struct Flag<Value>: Decodable {
    var state: ArgumentState<Value>

    package var wrappedValue: Value {
        get { state.value }
        set { state = .parsed(newValue) }
    }

    init(_ declaration: ArgumentDeclaration) {
        state = .declared(declaration)
    }

    /// Without an `init()` in the type itself the compiler does not accept a bare `@Flag var`; for the values that need
    /// none, it then picks one of the initializers in the extensions.
    @available(*, unavailable, message: "needs an initial value or an inversion")
    package init() {
        fatalError("unavailable")
    }

    package init(from decoder: any Decoder) throws {
        state = .parsed(try ArgumentDecoder.value(from: decoder))
    }
}

extension Flag: DeclaredArgument {
    var declaration: ArgumentDeclaration? { state.declaration }
}

extension Flag where Value == Bool {
    /// A switch that is on if given; otherwise it has its initial value.
    package init(wrappedValue: Bool, name: NameSpecification = .long, help: ArgumentHelp? = nil) {
        self.init(.flag(name, initial: wrappedValue, help: help))
    }

    /// A switch with a name for on and a name for off.
    package init(
        wrappedValue: Bool, name: NameSpecification = .long, inversion: FlagInversion, help: ArgumentHelp? = nil
    ) {
        self.init(.invertibleFlag(name, inversion, initial: wrappedValue, help: help))
    }
}

extension Flag where Value == Bool? {
    /// A switch with a name for on and a name for off; `nil` if neither is given.
    package init(
        wrappedValue: Bool? = nil, name: NameSpecification = .long, inversion: FlagInversion, help: ArgumentHelp? = nil
    ) {
        self.init(.invertibleOptionalFlag(name, inversion, initial: wrappedValue, help: help))
    }
}

/// How the name for off follows from the name for on.
package struct FlagInversion: Hashable, Sendable {
    let prefix: String

    /// `--name` and `--no-name`.
    package static let prefixedNo = FlagInversion(prefix: "no-")
}

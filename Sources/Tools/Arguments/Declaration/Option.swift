/// A value given after a name: `--threads 4`, `--threads=4`, `-t 4`.
///
/// `Value` is an ``ExpressibleByArgument`` type, an optional of one, or an array, which collects the values of all
/// occurrences. Elsewhere the last occurrence counts. Without a default value a plain or array option is required.
@propertyWrapper
package struct Option<Value>: Decodable {
    var state: ArgumentState<Value>

    package var wrappedValue: Value {
        get { state.value }
        set { state = .parsed(newValue) }
    }

    init(_ declaration: ArgumentDeclaration) {
        state = .declared(declaration)
    }

    /// Without an `init()` in the type itself the compiler does not accept a bare `@Option var`; for the values that
    /// need none, it then picks one of the initializers in the extensions.
    @available(*, unavailable, message: "needs a value type that conforms to ExpressibleByArgument")
    package init() {
        fatalError("unavailable")
    }

    package init(from decoder: any Decoder) throws {
        state = .parsed(try ArgumentDecoder.value(from: decoder))
    }
}

extension Option: DeclaredArgument {
    var declaration: ArgumentDeclaration? { state.declaration }
}

extension Option where Value: ExpressibleByArgument {
    package init(wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp? = nil) {
        self.init(.single(.option(name), initial: wrappedValue, help: help))
    }

    package init(name: NameSpecification = .long, help: ArgumentHelp? = nil) {
        self.init(.single(.option(name), initial: nil as Value?, help: help))
    }
}

extension Option {
    package init<T: ExpressibleByArgument>(
        wrappedValue: T? = nil, name: NameSpecification = .long, help: ArgumentHelp? = nil
    ) where Value == T? {
        self.init(.optional(.option(name), initial: wrappedValue, help: help))
    }

    package init<T: ExpressibleByArgument>(
        wrappedValue: [T], name: NameSpecification = .long, help: ArgumentHelp? = nil
    ) where Value == [T] {
        self.init(.array(.option(name), initial: wrappedValue, help: help))
    }

    package init<T: ExpressibleByArgument>(
        name: NameSpecification = .long, help: ArgumentHelp? = nil
    ) where Value == [T] {
        self.init(.array(.option(name), initial: nil as [T]?, help: help))
    }
}

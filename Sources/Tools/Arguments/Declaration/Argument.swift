/// A value given by its place: `hearth label photo.jpg`.
///
/// `Value` is an ``ExpressibleByArgument`` type, an optional of one, or an array, which takes all remaining values.
/// Without a default value a plain or array argument is required.
@propertyWrapper
package struct Argument<Value>: Decodable {
    var state: ArgumentState<Value>

    package var wrappedValue: Value {
        get { state.value }
        set { state = .parsed(newValue) }
    }

    init(_ declaration: ArgumentDeclaration) {
        state = .declared(declaration)
    }

    /// Without an `init()` in the type itself the compiler does not accept a bare `@Argument var`; for the values that
    /// need none, it then picks one of the initializers in the extensions.
    @available(*, unavailable, message: "needs a value type that conforms to ExpressibleByArgument")
    package init() {
        fatalError("unavailable")
    }

    package init(from decoder: any Decoder) throws {
        state = .parsed(try ArgumentDecoder.value(from: decoder))
    }
}

extension Argument: DeclaredArgument {
    var declaration: ArgumentDeclaration? { state.declaration }
}

extension Argument where Value: ExpressibleByArgument {
    package init(wrappedValue: Value, help: ArgumentHelp? = nil) {
        self.init(.single(.positional, initial: wrappedValue, help: help))
    }

    package init(help: ArgumentHelp? = nil) {
        self.init(.single(.positional, initial: nil as Value?, help: help))
    }
}

extension Argument {
    package init<T: ExpressibleByArgument>(wrappedValue: T? = nil, help: ArgumentHelp? = nil) where Value == T? {
        self.init(.optional(.positional, initial: wrappedValue, help: help))
    }

    package init<T: ExpressibleByArgument>(wrappedValue: [T], help: ArgumentHelp? = nil) where Value == [T] {
        self.init(.array(.positional, initial: wrappedValue, help: help))
    }

    package init<T: ExpressibleByArgument>(help: ArgumentHelp? = nil) where Value == [T] {
        self.init(.array(.positional, initial: nil as [T]?, help: help))
    }
}

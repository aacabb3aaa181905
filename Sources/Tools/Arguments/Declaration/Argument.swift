/// A value given by its place: `hearth label photo.jpg`.
///
/// `Value` is an ``ExpressibleByArgument`` type, an optional of one, or an array, which takes all values that are left.
/// Without a default value a plain or array argument is required.
@propertyWrapper
public struct Argument<Value>: Decodable {
    var state: ArgumentState<Value>

    public var wrappedValue: Value {
        get { state.value }
        set { state = .parsed(newValue) }
    }

    init(_ declaration: ArgumentDeclaration) {
        state = .declared(declaration)
    }

    /// Without an `init()` in the type itself the compiler does not accept a bare `@Argument var`; for the values that
    /// need none, it then picks one of the initializers in the extensions.
    @available(*, unavailable, message: "needs a value type that conforms to ExpressibleByArgument")
    public init() {
        fatalError("unavailable")
    }

    public init(from decoder: any Decoder) throws {
        state = .parsed(try ArgumentDecoder.value(from: decoder))
    }
}

extension Argument: DeclaredArgument {
    var declaration: ArgumentDeclaration? { state.declaration }
}

extension Argument where Value: ExpressibleByArgument {
    public init(wrappedValue: Value, help: ArgumentHelp? = nil) {
        self.init(.single(.positional, initial: wrappedValue, help: help))
    }

    public init(help: ArgumentHelp? = nil) {
        self.init(.single(.positional, initial: nil as Value?, help: help))
    }
}

extension Argument {
    public init<T: ExpressibleByArgument>(wrappedValue: T? = nil, help: ArgumentHelp? = nil) where Value == T? {
        self.init(.optional(.positional, initial: wrappedValue, help: help))
    }

    public init<T: ExpressibleByArgument>(wrappedValue: [T], help: ArgumentHelp? = nil) where Value == [T] {
        self.init(.array(.positional, initial: wrappedValue, help: help))
    }

    public init<T: ExpressibleByArgument>(help: ArgumentHelp? = nil) where Value == [T] {
        self.init(.array(.positional, initial: nil as [T]?, help: help))
    }
}

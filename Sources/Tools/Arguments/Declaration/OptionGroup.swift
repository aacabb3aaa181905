/// Arguments declared once and shared by several commands. The group's own `validate()` runs too.
@propertyWrapper
public struct OptionGroup<Value: ParsableArguments>: Decodable {
    public var wrappedValue: Value

    public init() {
        wrappedValue = Value()
    }

    public init(from decoder: any Decoder) throws {
        wrappedValue = try Value(from: decoder)
        try wrappedValue.validate()
    }
}

extension OptionGroup: DeclaredGroup {
    var group: any ParsableArguments { wrappedValue }
}

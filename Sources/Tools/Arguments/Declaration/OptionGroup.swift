/// Arguments declared once and shared by several commands. The group's own `validate()` runs too.
@propertyWrapper
public struct OptionGroup<Value: ParsableArguments>: Decodable {
    public var wrappedValue: Value

    /// The title of the group's own section in help; empty for none.
    let title: String

    public init(title: String = "") {
        wrappedValue = Value()
        self.title = title
    }

    public init(from decoder: any Decoder) throws {
        title = ""
        wrappedValue = try Value(from: decoder)
        try wrappedValue.validate()
    }
}

extension OptionGroup: DeclaredGroup {
    var group: any ParsableArguments { wrappedValue }
}

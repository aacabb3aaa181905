/// A group of arguments declared with ``Argument``, ``Option``, ``Flag`` and ``OptionGroup`` properties.
///
/// `init()` makes a value that only *declares* its arguments: reading a wrapped property before parsing is a programmer
/// error and traps, as in swift-argument-parser. `Decodable` is there for the same reason as in that library: the
/// parser fills in a value through the synthesized `init(from:)`. Stored properties without a wrapper keep their
/// initial value.
package protocol ParsableArguments: Decodable, SendableMetatype {
    /// Declares the arguments.
    init()

    /// Checks the parsed values together. An error is shown as a usage error, unless it is an ``ExitCode`` or
    /// ``CleanExit``.
    mutating func validate() throws
}

extension ParsableArguments {
    package mutating func validate() throws {}
}

/// Arguments declared once and shared by several commands. The group's own `validate()` runs too.
@propertyWrapper
package struct OptionGroup<Value: ParsableArguments>: Decodable {
    package var wrappedValue: Value

    /// The title of the group's own section in help; empty for none.
    let title: String

    package init(title: String = "") {
        wrappedValue = Value()
        self.title = title
    }

    package init(from decoder: any Decoder) throws {
        title = ""
        wrappedValue = try Value(from: decoder)
        try wrappedValue.validate()
    }
}

extension OptionGroup: DeclaredGroup {
    var group: any ParsableArguments { wrappedValue }
}

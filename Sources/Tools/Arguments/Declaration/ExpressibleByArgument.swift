/// A type whose values can be written on the command line.
package protocol ExpressibleByArgument: SendableMetatype {
    /// The value of a text; `nil` if the text is invalid.
    init?(argument: String)

    /// The text of the value, as help shows a default.
    var defaultValueDescription: String { get }

    /// All texts that `init(argument:)` accepts, if they can be listed; else empty. Help and errors show them.
    static var allValueStrings: [String] { get }
}

extension ExpressibleByArgument {
    package var defaultValueDescription: String { "\(self)" }
    package static var allValueStrings: [String] { [] }
}

extension ExpressibleByArgument where Self: CaseIterable {
    package static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }
}

extension ExpressibleByArgument where Self: RawRepresentable, RawValue: ExpressibleByArgument {
    package init?(argument: String) {
        guard let rawValue = RawValue(argument: argument) else { return nil }
        self.init(rawValue: rawValue)
    }

    package var defaultValueDescription: String { rawValue.defaultValueDescription }
}

/// A type that describes the texts that it accepts.
package protocol ValueExpectation {
    /// To follow "Please provide": `a whole number`.
    static var expectation: String { get }
}

extension String: ExpressibleByArgument {
    package init?(argument: String) { self = argument }
}

extension Bool: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
    package static var allValueStrings: [String] { ["true", "false"] }
}

extension Double: ExpressibleByArgument, ValueExpectation {
    package init?(argument: String) { self.init(argument) }
    package static var expectation: String { "a number" }
}

extension Float: ExpressibleByArgument, ValueExpectation {
    package init?(argument: String) { self.init(argument) }
    package static var expectation: String { "a number" }
}

extension ExpressibleByArgument where Self: FixedWidthInteger {
    package init?(argument: String) { self.init(argument, radix: 10) }
}

extension FixedWidthInteger {
    /// Without the bounds of the 64-bit types, which users do not reach by accident and which make the message longer.
    package static var expectation: String {
        if bitWidth < 64 { return "a whole number from \(Self.min) to \(Self.max)" }
        return isSigned ? "a whole number" : "a whole number, not below 0"
    }
}

extension Int: ExpressibleByArgument, ValueExpectation {}
extension Int8: ExpressibleByArgument, ValueExpectation {}
extension Int16: ExpressibleByArgument, ValueExpectation {}
extension Int32: ExpressibleByArgument, ValueExpectation {}
extension Int64: ExpressibleByArgument, ValueExpectation {}
extension UInt: ExpressibleByArgument, ValueExpectation {}
extension UInt8: ExpressibleByArgument, ValueExpectation {}
extension UInt16: ExpressibleByArgument, ValueExpectation {}
extension UInt32: ExpressibleByArgument, ValueExpectation {}
extension UInt64: ExpressibleByArgument, ValueExpectation {}

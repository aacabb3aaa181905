/// A type that can say in words which texts it accepts.
public protocol ValueExpectation {
    /// To follow "Please provide": `a whole number`.
    static var expectation: String { get }
}

extension String: ExpressibleByArgument {
    public init?(argument: String) { self = argument }
}

extension Bool: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
    public static var allValueStrings: [String] { ["true", "false"] }
}

extension Double: ExpressibleByArgument, ValueExpectation {
    public init?(argument: String) { self.init(argument) }
    public static var expectation: String { "a number" }
}

extension Float: ExpressibleByArgument, ValueExpectation {
    public init?(argument: String) { self.init(argument) }
    public static var expectation: String { "a number" }
}

extension ExpressibleByArgument where Self: FixedWidthInteger {
    public init?(argument: String) { self.init(argument, radix: 10) }
}

extension FixedWidthInteger {
    /// The bounds of the 64-bit types are left out: nobody meets them by accident, and they drown the message.
    public static var expectation: String {
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

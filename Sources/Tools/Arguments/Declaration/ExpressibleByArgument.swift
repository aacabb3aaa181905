/// A type whose values can be written on the command line.
public protocol ExpressibleByArgument: SendableMetatype {
    /// The value for a text, `nil` when the text names none.
    init?(argument: String)

    /// The text for the value, as help shows a default.
    var defaultValueDescription: String { get }

    /// All texts that `init(argument:)` accepts where they can be listed, else empty. Help and errors show them.
    static var allValueStrings: [String] { get }
}

extension ExpressibleByArgument {
    public var defaultValueDescription: String { "\(self)" }
    public static var allValueStrings: [String] { [] }
}

extension ExpressibleByArgument where Self: CaseIterable {
    public static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }
}

extension ExpressibleByArgument where Self: RawRepresentable, RawValue: ExpressibleByArgument {
    public init?(argument: String) {
        guard let rawValue = RawValue(argument: argument) else { return nil }
        self.init(rawValue: rawValue)
    }

    public var defaultValueDescription: String { rawValue.defaultValueDescription }
}

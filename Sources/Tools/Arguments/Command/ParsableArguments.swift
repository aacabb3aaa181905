/// A group of arguments declared with ``Argument``, ``Option``, ``Flag`` and ``OptionGroup`` properties.
///
/// `init()` makes a value that only *declares* its arguments: reading a wrapped property before parsing is a programmer
/// error and traps, as in swift-argument-parser. `Decodable` is there for the same reason as in that library: the
/// parser fills in a value through the synthesized `init(from:)`. Stored properties without a wrapper keep their
/// initial value.
public protocol ParsableArguments: Decodable, SendableMetatype {
    /// Declares the arguments.
    init()

    /// Checks the parsed values together. What it throws is shown as a usage error, unless it is an ``ExitCode`` or
    /// ``CleanExit``.
    mutating func validate() throws
}

extension ParsableArguments {
    public mutating func validate() throws {}
}

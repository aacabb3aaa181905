/// The code that a program ends with. Thrown by a command, it ends the program without printing anything.
public struct ExitCode: Error, RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    public init(_ code: Int32) {
        rawValue = code
    }

    /// 0.
    public static let success = ExitCode(0)
    /// 1: the command was understood and failed.
    public static let failure = ExitCode(1)
    /// 2: the arguments were wrong. Differs from swift-argument-parser, which uses `EX_USAGE` (64).
    public static let validationFailure = ExitCode(2)

    public var isSuccess: Bool { self == .success }
}

/// A usage error: its text is shown with the command's usage and the program ends with ``ExitCode/validationFailure``.
public struct ValidationError: Error, CustomStringConvertible, Sendable {
    /// What is wrong and what to do, in one line.
    public let message: String

    public init(_ message: String) {
        self.message = message
    }

    public var description: String { message }
}

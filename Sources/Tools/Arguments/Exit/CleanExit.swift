/// Thrown to end the program early with ``ExitCode/success`` after printing something to standard output.
public struct CleanExit: Error, Sendable {
    enum Content {
        case help((any ParsableCommand.Type)?)
        case message(String)
    }

    let content: Content

    /// Prints the help page of a command; `nil` stands for the command that throws it.
    public static func helpRequest(_ command: (any ParsableCommand.Type)? = nil) -> CleanExit {
        CleanExit(content: .help(command))
    }

    /// Prints the help page of a command.
    public static func helpRequest(_ command: any ParsableCommand) -> CleanExit {
        CleanExit(content: .help(type(of: command)))
    }

    /// Prints a text.
    public static func message(_ text: String) -> CleanExit {
        CleanExit(content: .message(text))
    }
}

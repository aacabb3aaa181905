/// The exit code of the program. A command that throws one ends the program without printing anything.
package struct ExitCode: Error, RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package init(_ code: Int32) {
        rawValue = code
    }

    /// 0.
    package static let success = ExitCode(0)
    /// 1: the command was understood and failed.
    package static let failure = ExitCode(1)
    /// 2: the arguments were wrong. Differs from swift-argument-parser, which uses `EX_USAGE` (64).
    package static let validationFailure = ExitCode(2)

    package var isSuccess: Bool { self == .success }
}

/// Thrown to end the program early with ``ExitCode/success`` after printing something to standard output.
package struct CleanExit: Error, Sendable {
    enum Content {
        case help((any ParsableCommand.Type)?)
        case message(String)
    }

    let content: Content

    /// Prints the help page of a command; `nil` means the command that throws this.
    package static func helpRequest(_ command: (any ParsableCommand.Type)? = nil) -> CleanExit {
        CleanExit(content: .help(command))
    }

    /// Prints the help page of a command.
    package static func helpRequest(_ command: any ParsableCommand) -> CleanExit {
        CleanExit(content: .help(type(of: command)))
    }

    /// Prints a text.
    package static func message(_ text: String) -> CleanExit {
        CleanExit(content: .message(text))
    }
}

/// A usage error: its text is shown with the command's usage and the program ends with ``ExitCode/validationFailure``.
package struct ValidationError: Error, CustomStringConvertible, Sendable {
    /// What is wrong and what to do, in one line.
    package let message: String

    package init(_ message: String) {
        self.message = message
    }

    package var description: String { message }
}

/// A question that had no terminal to be asked at. An option answers it in advance. The program ends with
/// ``ExitCode/validationFailure``, because the option was missing. The text names the option, so no usage is shown.
package struct ConfirmationRequired: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

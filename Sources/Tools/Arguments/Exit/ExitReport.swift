/// What an error means for the program: its exit code and what is printed.
struct ExitReport {
    private enum Content {
        case nothing
        /// For standard output.
        case output(String)
        /// For standard error.
        case notice(ErrorNotice)
    }

    let code: ExitCode
    let message: String
    private let content: Content

    /// The printed text, without the newline at its end and without colours; empty if nothing is printed.
    var fullMessage: String { text(.text(TextColors(isTerminal: false, environment: [:]))) }

    init(_ error: any Error, root: any ParsableCommand.Type, columns: Int?) {
        let rootPath = CommandPath(root: root)
        let commandError = error as? CommandError ?? CommandError(path: rootPath, reason: .run(error))
        let path = commandError.path
        let columns = HelpColumns.resolve(columns)
        switch commandError.reason {
        case .parser(.helpRequested):
            self.init(output: HelpPage(path: path, columns: columns).text)
        case .parser(.versionRequested):
            self.init(output: path.configuration.version)
        case .parser(let error):
            self.init(usageError: error.description, path: path)
        case .validation(let error):
            self =
                ExitReport(special: error, path: path, columns: columns)
                ?? ExitReport(usageError: ErrorText.describe(error), path: path)
        case .run(let error):
            self = ExitReport(special: error, path: path, columns: columns) ?? ExitReport(failure: error)
        }
    }

    /// The printed text in this form, without the newline at its end.
    func text(_ form: ErrorNotice.Form) -> String {
        switch content {
        case .nothing: ""
        case .output(let text): text
        case .notice(let notice): notice.text(form)
        }
    }

    /// The report on an error with a special meaning; `nil` for any other.
    private init?(special error: any Error, path: CommandPath, columns: Int) {
        switch error {
        case let code as ExitCode:
            self.init(code: code, message: "", content: .nothing)
        case let error as ValidationError:
            self.init(usageError: error.message.singleLine, path: path)
        case let error as ConfirmationRequired:
            self.init(usageError: error.description.singleLine)
        case let exit as CleanExit:
            switch exit.content {
            case .message(let text): self.init(output: text)
            case .help(nil): self.init(output: HelpPage(path: path, columns: columns).text)
            case .help(let command?):
                self.init(output: HelpPage(path: path.path(to: command), columns: columns).text)
            }
        default:
            return nil
        }
    }

    private init(code: ExitCode, message: String, content: Content) {
        self.code = code
        self.message = message
        self.content = content
    }

    private init(output: String) {
        self.init(code: .success, message: output, content: .output(output))
    }

    private init(failure error: any Error) {
        let message = ErrorText.describe(error)
        self.init(
            code: .failure, message: message,
            content: .notice(ErrorNotice(message, code: ErrorNotice.code(of: error))))
    }

    /// - Parameter path: the command whose usage is shown; nil if the message needs none.
    private init(usageError message: String, path: CommandPath? = nil) {
        var hints: [String] = []
        if let path {
            hints.append("Usage: \(UsageText(path: path).line)")
            if let name = path.helpNames.last { hints.append("  See '\(path) \(name)' for more information.") }
        }
        self.init(
            code: .validationFailure, message: message,
            content: .notice(ErrorNotice(message, code: ErrorNotice.wrongUsage, hints: hints)))
    }
}

/// An error with the command that it belongs to, whose usage can be shown.
struct CommandError: Error, CustomStringConvertible {
    enum Reason {
        /// The arguments could not be parsed.
        case parser(ParserError)
        /// `validate()` threw.
        case validation(any Error)
        /// `run()` threw.
        case run(any Error)
    }

    let path: CommandPath
    let reason: Reason

    var description: String {
        switch reason {
        case .parser(let error): error.description
        case .validation(let error), .run(let error): ErrorText.describe(error)
        }
    }
}

/// What an error means for the program: its exit code and what is printed.
struct ExitReport {
    let code: ExitCode
    let message: String
    let fullMessage: String

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
            self.init(usageError: error.description, path: path, columns: columns)
        case .validation(let error):
            self =
                ExitReport(special: error, path: path, columns: columns)
                ?? ExitReport(usageError: ErrorText.describe(error), path: path, columns: columns)
        case .run(let error):
            self =
                ExitReport(special: error, path: path, columns: columns)
                ?? ExitReport(failure: ErrorText.describe(error))
        }
    }

    /// The errors that this library gives a meaning to; `nil` for any other.
    private init?(special error: any Error, path: CommandPath, columns: Int) {
        switch error {
        case let code as ExitCode:
            self.init(code: code, message: "", fullMessage: "")
        case let error as ValidationError:
            self.init(usageError: error.message.singleLine, path: path, columns: columns)
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

    private init(code: ExitCode, message: String, fullMessage: String) {
        self.code = code
        self.message = message
        self.fullMessage = fullMessage
    }

    private init(output: String) {
        self.init(code: .success, message: output, fullMessage: output)
    }

    private init(failure message: String) {
        self.init(code: .failure, message: message, fullMessage: "error: \(message)")
    }

    private init(usageError message: String, path: CommandPath, columns: Int) {
        var lines = ["error: \(message)", UsageText(path: path).text(label: "Usage: ", columns: columns)]
        if let name = path.helpNames.last {
            lines.append("  See '\(path) \(name)' for more information.")
        }
        self.init(code: .validationFailure, message: message, fullMessage: lines.joined(separator: "\n"))
    }
}

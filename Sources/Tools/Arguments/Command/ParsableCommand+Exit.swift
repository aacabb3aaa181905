import Foundation

extension ParsableCommand {
    /// The help page of this command. `columns` is the width to wrap at; `nil` takes the environment's `COLUMNS`, else
    /// 80.
    public static func helpMessage(columns: Int? = nil) -> String {
        HelpPage(path: CommandPath(root: Self.self), columns: HelpColumns.resolve(columns)).text
    }

    /// The help page of a command in this command's tree, under its full name.
    public static func helpMessage(for subcommand: any ParsableCommand.Type, columns: Int? = nil) -> String {
        let path = CommandPath(root: Self.self).path(to: subcommand)
        return HelpPage(path: path, columns: HelpColumns.resolve(columns)).text
    }

    /// The code that the program ends with for an error thrown by parsing, validating or running.
    public static func exitCode(for error: any Error) -> ExitCode {
        ExitReport(error, root: Self.self, columns: nil).code
    }

    /// The bare text for an error: without `error:` and without usage. Help and version texts are returned as they are.
    public static func message(for error: any Error, columns: Int? = nil) -> String {
        ExitReport(error, root: Self.self, columns: columns).message
    }

    /// All that is printed for an error, without the last line's newline; empty for an ``ExitCode``.
    public static func fullMessage(for error: any Error, columns: Int? = nil) -> String {
        ExitReport(error, root: Self.self, columns: columns).fullMessage
    }

    /// Prints what there is to say (help to standard output, errors to standard error) and ends the program. Errors are JSON
    /// where the program's arguments ask for JSON.
    public static func exit(withError error: (any Error)? = nil) -> Never {
        exit(withError: error, arguments: programArguments)
    }

    static func exit(withError error: (any Error)?, arguments: [String]) -> Never {
        guard let error else { Foundation.exit(ExitCode.success.rawValue) }
        let report = ExitReport(error, root: Self.self, columns: nil)
        let text = report.text(ErrorNotice.form(arguments))
        if !text.isEmpty {
            if report.code.isSuccess {
                print(text)
            } else {
                Terminal.standardError.write(text + "\n")
            }
        }
        Foundation.exit(report.code.rawValue)
    }
}

import Foundation

/// A command: arguments, a place in the tree of subcommands, and something to do.
///
/// Commands need not be `Sendable`: one thread makes, validates and runs them.
package protocol ParsableCommand: ParsableArguments {
    /// Name, help texts and subcommands.
    static var configuration: CommandConfiguration { get }

    /// Does the work. By default, prints the command's help.
    ///
    /// An ``ExitCode`` ends the program silently with that code; a ``ValidationError`` is shown with the command's
    /// usage; any other error is printed as one line, `error: <description>`, and ends the program with code 1.
    mutating func run() throws
}

extension ParsableCommand {
    package static var configuration: CommandConfiguration { CommandConfiguration() }

    package mutating func run() throws {
        throw CleanExit.helpRequest(self)
    }

    /// Parses the program's arguments and runs the command that they name. Ends the program if that fails.
    package static func main() {
        main(nil)
    }

    /// Like ``main()`` with explicit arguments (without the program's name); `nil` takes the program's own.
    package static func main(_ arguments: [String]?) {
        let arguments = arguments ?? programArguments
        var parsed: CommandParser.Parsed
        do {
            parsed = try CommandParser(root: Self.self).parse(arguments)
        } catch {
            exit(withError: error, arguments: arguments)
        }
        do {
            try parsed.command.run()
        } catch {
            exit(withError: CommandError(path: parsed.path, reason: .run(error)), arguments: arguments)
        }
    }

    /// The command that the arguments name, this one or one of its subcommands. It is parsed and validated, and does not run.
    package static func parseAsRoot(_ arguments: [String]? = nil) throws -> any ParsableCommand {
        try CommandParser(root: Self.self).parse(arguments ?? programArguments).command
    }

    /// This command. Arguments that name one of its subcommands are a ``ValidationError``.
    package static func parse(_ arguments: [String]? = nil) throws -> Self {
        let command = try parseAsRoot(arguments)
        guard let command = command as? Self else {
            throw ValidationError("The arguments name a subcommand of '\(CommandPath(root: Self.self))'")
        }
        return command
    }

    static var programArguments: [String] {
        Array(CommandLine.arguments.dropFirst())
    }
}

extension ParsableCommand {
    /// The help page of this command. `columns` is the width to wrap at; `nil` takes the environment's `COLUMNS`, else
    /// 80.
    package static func helpMessage(columns: Int? = nil) -> String {
        HelpPage(path: CommandPath(root: Self.self), columns: HelpColumns.resolve(columns)).text
    }

    /// The help page of a command in this command's tree, under its full name.
    package static func helpMessage(for subcommand: any ParsableCommand.Type, columns: Int? = nil) -> String {
        let path = CommandPath(root: Self.self).path(to: subcommand)
        return HelpPage(path: path, columns: HelpColumns.resolve(columns)).text
    }

    /// The exit code of the program for an error from parsing, validating or running.
    package static func exitCode(for error: any Error) -> ExitCode {
        ExitReport(error, root: Self.self, columns: nil).code
    }

    /// The bare text for an error: without `error:` and without usage. Help and version texts are returned as they are.
    package static func message(for error: any Error, columns: Int? = nil) -> String {
        ExitReport(error, root: Self.self, columns: columns).message
    }

    /// Everything that is printed for an error, without the newline at its end; empty for an ``ExitCode``.
    package static func fullMessage(for error: any Error, columns: Int? = nil) -> String {
        ExitReport(error, root: Self.self, columns: columns).fullMessage
    }

    /// Prints help to standard output or an error to standard error, and ends the program. The error is JSON if the program's
    /// arguments ask for JSON.
    package static func exit(withError error: (any Error)? = nil) -> Never {
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

/// A command: arguments, a place in the tree of subcommands, and something to do.
///
/// Commands need not be `Sendable`; they are made, validated and run on one thread.
public protocol ParsableCommand: ParsableArguments {
    /// Name, help texts and subcommands.
    static var configuration: CommandConfiguration { get }

    /// Does the work. A command that does not implement it prints its help.
    ///
    /// An ``ExitCode`` ends the program silently with that code; a ``ValidationError`` is shown with the command's
    /// usage; any other error is printed as one line, `error: <description>`, and ends the program with code 1.
    mutating func run() throws
}

extension ParsableCommand {
    public static var configuration: CommandConfiguration { CommandConfiguration() }

    public mutating func run() throws {
        throw CleanExit.helpRequest(self)
    }

    /// Parses the program's arguments, runs the command they name and, when that fails, ends the program.
    public static func main() {
        main(nil)
    }

    /// Like ``main()`` with explicit arguments (without the program's name); `nil` takes the program's own.
    public static func main(_ arguments: [String]?) {
        let arguments = arguments ?? programArguments
        var parsed: CommandParser.Parsed
        do {
            parsed = try CommandParser(root: Self.self).parse(arguments)
        } catch {
            exit(withError: error, arguments: arguments)
        }
        UsageNotes.add(parsed.notes)
        do {
            try parsed.command.run()
        } catch {
            let error = CommandError(path: parsed.path, reason: .run(error))
            // Whoever reads errors as JSON reads nothing else beside one.
            if exitCode(for: error).isSuccess || !ErrorNotice.form(arguments).isJSON { UsageNotes.write() }
            exit(withError: error, arguments: arguments)
        }
        UsageNotes.write()
    }

    /// The command that the arguments name, this one or one of its subcommands, parsed and validated but not run.
    public static func parseAsRoot(_ arguments: [String]? = nil) throws -> any ParsableCommand {
        try CommandParser(root: Self.self).parse(arguments ?? programArguments).command
    }

    /// This very command; arguments that name one of its subcommands are a ``ValidationError``.
    public static func parse(_ arguments: [String]? = nil) throws -> Self {
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

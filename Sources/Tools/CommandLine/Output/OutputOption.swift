import HearthArguments
import HearthLocalCommands

/// `--output` of commands that print a file unless they are told where it goes.
struct OutputOption: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write it to this file; - prints it, as without this option.", valueName: "file"))
    var output: String?

    /// Where the user wants it; nil for standard output.
    var path: String? { output == "-" ? nil : output }

    func target() throws -> OutputFile? { try path.map { try OutputFile($0) } }
}

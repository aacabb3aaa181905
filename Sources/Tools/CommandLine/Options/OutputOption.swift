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

/// `--wide` of commands that print a table.
struct TableOption: ParsableArguments {
    @Flag(help: "Show the whole table, however narrow the terminal is. In a file or a pipe it is whole always.")
    var wide = false

    /// How much room there is; nil for all that a table needs.
    var width: Int? { wide ? nil : Terminal.standardOutputColumns }
}

/// How commands say where their result is: not at all where that goes on to somebody else.
struct OutputReport {
    private struct Report: Encodable {
        let file: String
    }

    private let target: OutputFile

    init(_ target: OutputFile) { self.target = target }

    func print(asJSON: Bool) throws {
        guard !target.isStream else { return }
        if asJSON { return try Output.json(Report(file: target.path)) }
        Output.success("Wrote \(target.path).")
    }
}

import HearthArguments
import HearthLocalCommands

/// The option `--output` of commands that otherwise print a file.
struct OutputOption: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("File to write; - prints it, as without this option.", valueName: "file"))
    var output: String?

    /// The file to write; nil for standard output.
    var path: String? { output == "-" ? nil : output }

    func target() throws -> OutputFile? { try path.map { try OutputFile($0) } }
}

/// The option `--wide` of commands that print a table.
package struct TableOption: ParsableArguments {
    @Flag(help: "Show the whole table on a narrow terminal. A file or a pipe always gets the whole table.")
    var wide = false

    package init() {}

    /// The width of the terminal; nil for the whole table.
    package var width: Int? { wide ? nil : Terminal.standardOutputColumns }
}

/// How commands report the file that they wrote. They say nothing if the output goes to another program.
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

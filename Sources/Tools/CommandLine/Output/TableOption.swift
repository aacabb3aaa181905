import HearthArguments

/// `--wide` of commands that print a table.
struct TableOption: ParsableArguments {
    @Flag(help: "Show the whole table, however narrow the terminal is. In a file or a pipe it is whole always.")
    var wide = false

    /// How much room there is; nil for all that a table needs.
    var width: Int? { wide ? nil : Terminal.standardOutputColumns }
}

import HearthArguments
import HearthLocalCommands

/// `--out`, which `--output` was called in some commands: scripts that say it go on working.
struct FormerOutputOption: ParsableArguments {
    @Option(help: ArgumentHelp("The former name of --output.", visibility: .hidden))
    var out: String?

    /// What was given under either name.
    func path(_ output: String?) -> String? { output ?? out }

    /// Tells whoever used the former name of the present one.
    func tell() {
        if out != nil { Output.note("note: --out is now called --output, as in the other commands") }
    }
}

import Glibc
package import HearthArguments

/// `hearth` as the quick program: the commands that need only files of this machine, and the names of all others.
///
/// It links neither network nor server code, so that it starts fast and stays small.
package struct QuickCommand: ParsableCommand {
    package static let configuration = ProgramConfiguration.make(subcommands: [
        PackCommand.self, LabelCommand<ForwardingModelSource>.self, DetectCommand<ForwardingModelSource>.self,
        BenchCommand.self,
    ])

    package init() {}

    /// Runs the command that the program's arguments name, or starts the full program for it.
    package static func main() {
        if let command = forwardedCommand(CommandLine.arguments.dropFirst()) {
            do {
                try FullProgram.exec("`hearth \(command)`")
            } catch {
                exit(withError: error)
            }
        }
        runAsProgram()
    }

    /// The name of the full program's command that the arguments name, also in `help serve`.
    static func forwardedCommand(_ arguments: some Sequence<String>) -> String? {
        let name = arguments.first { $0 != "help" }
        let own = configuration.subcommands.map { CommandSummary($0).name }
        return CommandSummary.all.map(\.name).first { $0 == name && !own.contains($0) }
    }
}

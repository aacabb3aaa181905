package import HearthArguments

/// `hearth` as the quick program: what needs only this machine's files, and the names of all else.
///
/// It links neither network nor server code, so that it starts fast and stays small.
package struct QuickCommand: ParsableCommand {
    package static let configuration = ProgramConfiguration.make(subcommands: [
        HandedOverServe.self, HandedOverModels.self, HandedOverReleases.self, HandedOverRemoteConfig.self,
        HandedOverExperiments.self, HandedOverKeys.self, HandedOverProjects.self, HandedOverAdmin.self,
        PackCommand.self, HandedOverPull.self, HandedOverDevice.self,
        LabelCommand<HandedOverHosting>.self, DetectCommand<HandedOverHosting>.self, HandedOverInspect.self,
        BenchCommand.self,
        HandedOverDemo.self, HandedOverProbe.self,
    ])

    package init() {}

    /// Runs the command that the program's arguments name, or has the full program run it.
    package static func main() {
        if let command = handedOver(CommandLine.arguments.dropFirst()) {
            do {
                try FullProgram.takeOver("`hearth \(command)`")
            } catch {
                exit(withError: error)
            }
        }
        runAsProgram()
    }

    /// The name of the full program's command that the arguments ask for, or ask about as in `help serve`.
    static func handedOver(_ arguments: some Sequence<String>) -> String? {
        let name = arguments.first { $0 != "help" }
        let summaries = configuration.subcommands.compactMap { ($0 as? any HandedOverCommand.Type)?.summary }
        return summaries.first { $0.name == name || name.map($0.formerNames.contains) == true }?.name
    }
}

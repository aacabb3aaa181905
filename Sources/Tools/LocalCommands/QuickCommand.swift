import Glibc
package import HearthArguments

/// `hearth` as the quick program: the commands that need only files of this machine, and the names of all others.
///
/// It links neither network nor server code, so that it starts fast and stays small.
package struct QuickCommand: ParsableCommand {
    package static let configuration = ProgramConfiguration.make(subcommands: [
        HandedOverServe.self, HandedOverModels.self, HandedOverReleases.self, HandedOverRemoteConfig.self,
        HandedOverExperiments.self, HandedOverKeys.self, HandedOverProjects.self, HandedOverAdmin.self,
        PackCommand.self, HandedOverPull.self, HandedOverDevice.self,
        LabelCommand<ForwardingModelSource>.self, DetectCommand<ForwardingModelSource>.self, HandedOverInspect.self,
        BenchCommand.self,
        HandedOverDemo.self, HandedOverProbe.self,
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
        let summaries = configuration.subcommands.compactMap { ($0 as? any HandedOverCommand.Type)?.summary }
        return summaries.first { $0.name == name }?.name
    }
}

/// A command of the full program. Here it is only a name, for help and suggestions.
protocol HandedOverCommand: ParsableCommand {
    static var summary: CommandSummary { get }
    static var isListed: Bool { get }
}

extension HandedOverCommand {
    static var isListed: Bool { true }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: summary.name, abstract: summary.abstract, shouldDisplay: isListed)
    }
}

struct HandedOverServe: HandedOverCommand {
    static let summary = CommandSummary.serve
}

struct HandedOverModels: HandedOverCommand {
    static let summary = CommandSummary.models
}

struct HandedOverReleases: HandedOverCommand {
    static let summary = CommandSummary.releases
}

struct HandedOverRemoteConfig: HandedOverCommand {
    static let summary = CommandSummary.remoteConfig
}

struct HandedOverExperiments: HandedOverCommand {
    static let summary = CommandSummary.experiments
}

struct HandedOverKeys: HandedOverCommand {
    static let summary = CommandSummary.keys
}

struct HandedOverProjects: HandedOverCommand {
    static let summary = CommandSummary.projects
}

struct HandedOverAdmin: HandedOverCommand {
    static let summary = CommandSummary.admin
}

struct HandedOverPull: HandedOverCommand {
    static let summary = CommandSummary.pull
}

struct HandedOverDevice: HandedOverCommand {
    static let summary = CommandSummary.device
}

struct HandedOverInspect: HandedOverCommand {
    static let summary = CommandSummary.inspect
}

struct HandedOverDemo: HandedOverCommand {
    static let summary = CommandSummary.demo
}

struct HandedOverProbe: HandedOverCommand {
    static let summary = CommandSummary.probe
    static let isListed = false
}

/// Models on the server: the full program takes the whole command over, because it can download them.
enum ForwardingModelSource: HostedModelSource {
    static func path(of model: String, config: String?) throws -> String {
        try FullProgram.exec("The hosted model '\(model)'")
    }
}

/// The program with all commands, in the same folder as this one.
enum FullProgram {
    static let name = "hearth-full"

    /// Replaces this process by that program, with the same arguments. Wraps `execv`.
    ///
    /// - Throws: if it cannot be started.
    static func exec(_ work: String) throws(CommandFailure) -> Never {
        let folder = try ownFolder()
        let path = folder + "/" + name
        execv(path, CommandLine.unsafeArgv)
        let number = errno
        throw CommandFailure(
            number == ENOENT
                ? "\(work) needs the program \(name), which is not in \(folder). Build it with `swift build --product \(name)`, "
                    + "or install it there."
                : "\(work) needs \(path), which cannot be started: \(String(cString: strerror(number)))")
    }

    /// The real path of this program's file. Wraps `readlink`.
    private static func ownFolder() throws(CommandFailure) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { raw in
            raw.withMemoryRebound(to: CChar.self) { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        }
        guard count > 0, let slash = buffer[..<count].lastIndex(of: UInt8(ascii: "/")) else {
            throw CommandFailure("Cannot find this program's own path; is /proc mounted?")
        }
        return String(decoding: buffer[..<slash], as: UTF8.self)
    }
}

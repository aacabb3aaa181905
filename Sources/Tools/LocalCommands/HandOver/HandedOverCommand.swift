import HearthArguments

/// A command of the full program. Here it is only a name, for help and for suggestions.
protocol HandedOverCommand: ParsableCommand {
    static var summary: CommandSummary { get }
    static var isListed: Bool { get }
}

extension HandedOverCommand {
    static var isListed: Bool { true }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: summary.name, formerNames: summary.formerNames, abstract: summary.abstract,
            shouldDisplay: isListed)
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

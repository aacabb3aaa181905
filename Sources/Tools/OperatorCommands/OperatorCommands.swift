package import HearthArguments

/// The commands that run a server, work on its data, or check a file as it does. They contain the server's code.
package enum OperatorCommands {
    /// Those that run a server until a signal stops them.
    package static var serving: [any ParsableCommand.Type] { [ServeCommand.self, FollowCommand.self] }

    package static var admin: any ParsableCommand.Type { AdminCommand.self }

    package static var inspect: any ParsableCommand.Type { InspectCommand.self }

    /// What a server starts for each file that it checks; people do not.
    package static var probe: any ParsableCommand.Type { ProbeCommand.self }
}

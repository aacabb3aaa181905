package import HearthArguments

/// The commands that call a server's management API. They need no code of the server.
package enum ManagementCommands {
    /// Those right below `hearth`, in the order of its help.
    package static var all: [any ParsableCommand.Type] {
        [
            ConsoleCommand.self, ModelsCommand.self, ReleasesCommand.self, ConfigCommand.self, ExperimentsCommand.self,
            StatusCommand.self, SearchCommand.self, KeysCommand.self, ProjectsCommand.self,
        ]
    }

    /// Those below `hearth admin`.
    package static var belowAdmin: [any ParsableCommand.Type] { [AuditCommand.self, ServerCommand.self] }
}

package import HearthArguments

/// The commands that bring an app and its models from Firebase here.
package enum MigrationCommands {
    /// In the order of the help.
    package static var all: [any ParsableCommand.Type] { [ImportCommand.self, MigrateCommand.self] }
}

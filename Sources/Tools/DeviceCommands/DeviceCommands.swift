package import HearthArguments

/// The commands that do what a device does.
package enum DeviceCommands {
    /// In the order of the help.
    package static var all: [any ParsableCommand.Type] { [PullCommand.self, DeviceCommand.self] }

    /// A device, a server and its administrator at once.
    package static var demo: any ParsableCommand.Type { DemoCommand.self }
}

import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

/// The devices of a pin, on the command line.
struct PinnedDevices: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Id of an installation, as the app shows it. May be given several times.", valueName: "id"))
    var installation: [String] = []

    @Option(
        help: ArgumentHelp(
            "All devices with this tag, which the app sets. May be given several times.", valueName: "tag")
    )
    var tag: [String] = []

    func validate() throws {
        guard !installation.isEmpty || !tag.isEmpty else {
            throw ValidationError("Give the devices: --installation ID, or --tag TAG.")
        }
        for tag in tag { try ModelTags.check(tag) }
    }

    var all: [PinBodies.Device] { installation.map { .installation($0) } + tag.map { .tag($0) } }
}

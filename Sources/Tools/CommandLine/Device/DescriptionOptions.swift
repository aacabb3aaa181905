import HearthApp
import HearthArguments

/// What this device is to tell the server in place of what the system says: for trying out whom a release is for.
struct DescriptionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Tell the server that this device has the tag. May be given several times."))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp(
            "Tell the server that the app has this version, such as 2.10.0. Default: none.", valueName: "version"))
    var appVersion: String?

    @Option(
        help: ArgumentHelp(
            "Tell the server that the device has this operating system, such as ios. Default: that of this machine.",
            valueName: "os"))
    var os: String?

    @Option(
        help: ArgumentHelp(
            "Tell the server that the user reads this language, such as de or pt-BR. Default: the system's.",
            valueName: "tag"))
    var language: String?

    @Option(
        help: ArgumentHelp(
            "Tell the server that the device is in this country, such as CH. Default: the system's.",
            valueName: "code"))
    var country: String?

    func validate() throws {
        var description = DeviceDescription()
        do {
            try apply(to: &description)
        } catch {
            throw ValidationError(error.message)
        }
    }

    /// Changes what the user named, and nothing else.
    func apply(to description: inout DeviceDescription) throws(DeviceDescriptionError) {
        if !tag.isEmpty { try description.setTags(tag) }
        if let appVersion { try description.setAppVersion(appVersion) }
        if let os { try description.setOperatingSystem(os) }
        if let language { try description.setLanguage(language) }
        if let country { try description.setCountry(country) }
    }
}

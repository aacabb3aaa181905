import Foundation
import HearthApp
import HearthArguments
import HearthDelivery
import HearthLocalCommands

/// A description of this device that replaces the system's: to try out which devices a release reaches.
struct DescriptionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Tag that this device reports. May be given several times."))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp(
            "App version that this device reports, such as 2.10.0. Default: none.", valueName: "version"))
    var appVersion: String?

    @Option(
        help: ArgumentHelp(
            "Operating system that this device reports, such as ios. Default: that of this machine.",
            valueName: "os"))
    var os: String?

    @Option(
        help: ArgumentHelp(
            "Language that this device reports, such as de or pt-BR. Default: the system's.",
            valueName: "tag"))
    var language: String?

    @Option(
        help: ArgumentHelp(
            "Country that this device reports, such as CH. Default: the system's.",
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

    /// Changes only what the user named.
    func apply(to description: inout DeviceDescription) throws(DeviceDescriptionError) {
        if !tag.isEmpty { try description.setTags(tag) }
        if let appVersion { try description.setAppVersion(appVersion) }
        if let os { try description.setOperatingSystem(os) }
        if let language { try description.setLanguage(language) }
        if let country { try description.setCountry(country) }
    }
}

import HearthAdmin
import HearthArguments
import HearthCalls
import HearthWire

/// The audience of a release.
struct AudienceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only apps with this version or a later one, such as 2.10.", valueName: "version"))
    var appVersionFrom: String?

    @Option(help: ArgumentHelp("Only apps with an earlier version than this.", valueName: "version"))
    var appVersionBelow: String?

    @Option(
        help: ArgumentHelp(
            "Only this operating system: linux, ios, android ... May be given several times.", valueName: "os"))
    var os: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only this language, such as de, which also means de-CH. May be given several times.",
            valueName: "language"))
    var language: [String] = []

    @Option(
        help: ArgumentHelp("Only this country, such as CH. May be given several times.", valueName: "country"))
    var country: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only devices with this tag, which the app sets. May be given several times: one of them is enough.",
            valueName: "tag"))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only devices that meet this condition, in Remote Config's language, such as \"app.id == '1:12:ios:ab'\".",
            valueName: "text"))
    var condition: String?

    func validate() throws {
        for version in [appVersionFrom, appVersionBelow].compactMap({ $0 }) where !WireNames.isAppVersion(version) {
            throw ValidationError("'\(version)' is not an app version: give dotted numbers, such as 2.10.0.")
        }
        for language in language where !WireNames.isLanguage(language) {
            throw ValidationError("'\(language)' is not a language: give a tag such as de or pt-BR.")
        }
        for country in country where !WireNames.isCountry(country.uppercased()) {
            throw ValidationError("'\(country)' is not a country: give the two letters of ISO 3166, such as CH.")
        }
        for system in os where !WireNames.isOperatingSystem(system.lowercased()) {
            throw ValidationError("'\(system)' is not an operating system: give a word such as linux, ios or android.")
        }
        for tag in tag { try ModelTags.check(tag) }
    }

    var isEmpty: Bool { audience(changing: Audience()).isEverybody }

    /// The audience, in which the given options replace the old values.
    func audience(changing present: Audience) -> Audience {
        var audience = present
        if let appVersionFrom { audience.appVersionFrom = appVersionFrom }
        if let appVersionBelow { audience.appVersionBelow = appVersionBelow }
        if !os.isEmpty { audience.operatingSystems = os.map { $0.lowercased() } }
        if !language.isEmpty { audience.languages = language }
        if !country.isEmpty { audience.countries = country.map { $0.uppercased() } }
        if !tag.isEmpty { audience.tags = tag }
        if let condition { audience.condition = condition }
        return audience
    }
}

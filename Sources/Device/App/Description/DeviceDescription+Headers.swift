extension DeviceDescription {
    private static let appVersionHeader = "x-hearth-app-version"
    private static let operatingSystemHeader = "x-hearth-os"
    private static let languageHeader = "x-hearth-language"
    private static let countryHeader = "x-hearth-country"
    private static let tagsHeader = "x-hearth-tags"

    /// What is told, as headers of the call for a model.
    package var headers: [(String, String)] {
        let all = [
            (Self.appVersionHeader, appVersion), (Self.operatingSystemHeader, operatingSystem),
            (Self.languageHeader, language), (Self.countryHeader, country),
            (Self.tagsHeader, tags.isEmpty ? nil : tags.joined(separator: ",")),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }

    /// What the headers of a call tell. A value that no device sends counts as not told.
    package init(header: (_ name: String) -> String?) {
        operatingSystem = header(Self.operatingSystemHeader)
        try? setAppVersion(header(Self.appVersionHeader))
        try? setLanguage(header(Self.languageHeader))
        try? setCountry(header(Self.countryHeader))
        try? setTags(header(Self.tagsHeader)?.split(separator: ",").map(String.init) ?? [])
    }
}

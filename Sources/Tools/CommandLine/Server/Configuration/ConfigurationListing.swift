/// A configuration as a file that can be read back, with the origin of each value.
struct ConfigurationListing {
    let reader: ConfigurationReader

    var text: String {
        ServerSettings.sections.map { section in
            let entries = section.settings.map { setting in
                let value = setting.text(reader.configuration)
                return """
                    # \(setting.summary) Takes \(setting.expectation). From: \(source(setting).text).
                    \(setting.name) =\(value.isEmpty ? "" : " " + value)
                    """
            }
            return (["## \(section.title)"] + entries).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    private func source(_ setting: ServerSetting) -> ConfigurationSource {
        reader.sources[setting.name] ?? .builtIn
    }
}

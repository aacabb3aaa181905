@testable import HearthCommandLine

/// The configuration as a table in Markdown, as the guide to operating a server has it.
enum ConfigurationTable {
    static var text: String {
        let head = ["| Setting | Default | Takes | |", "|---|---|---|---|"]
        let rows = ServerSettings.sections.flatMap { section in
            ["| **\(section.title)** | | | |"] + section.settings.map(row)
        }
        return (head + rows).joined(separator: "\n")
    }

    private static func row(_ setting: ServerSetting) -> String {
        let initial = setting.defaultText.isEmpty ? "" : "`\(setting.defaultText)`"
        let initialText = setting.defaultSummary ?? initial
        return "| `\(setting.name)` | \(initialText) | \(setting.expectation) | \(setting.summary) |"
    }
}

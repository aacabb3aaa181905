/// Combines a server's settings: a flag overrides the environment, which overrides the file, which overrides the default.
package struct SettingsReader {
    package private(set) var configuration = ServerConfiguration()
    /// The sources of the settings that do not have their default.
    private(set) var sources: [String: SettingSource] = [:]

    private static let settings = Dictionary(uniqueKeysWithValues: ServerSettings.all.map { ($0.name, $0) })

    private let otherVariables: Set<String>

    /// - Parameters:
    ///   - flags: the texts from the command line, by the setting's name.
    ///   - environment: all of the process's variables.
    ///   - file: text and path of the configuration file.
    ///   - otherVariables: names of variables that begin like the server's and belong to other commands.
    /// - Throws: for an unknown name, a value out of its range, and values that contradict each other.
    package init(
        flags: [String: String], environment: [String: String], file: (path: String, text: String)?,
        otherVariables: Set<String> = []
    ) throws(ServerSettingsError) {
        self.otherVariables = otherVariables
        if let file { try read(try SettingsFile(file.text, path: file.path), file.path) }
        try read(environment)
        for (name, text) in flags.sorted(by: { $0.key < $1.key }) {
            guard let setting = Self.settings[name] else { continue }
            try set(setting, text, .flag(name))
        }
        if case .environment = sources["project"] { configuration.insistsOnProject = false }
        configuration.sources = sources
        try configuration.check()
    }

    private mutating func read(_ file: SettingsFile, _ path: String) throws(ServerSettingsError) {
        for line in file.lines {
            let source = SettingSource.file(path, line: line.number)
            guard let setting = Self.settings[line.name] else {
                throw ServerSettingsError(
                    "\(source.text): there is no setting '\(line.name)'; `hearth serve --help` lists the settings.")
            }
            try set(setting, line.value, source)
        }
    }

    private mutating func read(_ environment: [String: String]) throws(ServerSettingsError) {
        let variables = Dictionary(uniqueKeysWithValues: ServerSettings.all.map { ($0.variable, $0) })
        for (variable, text) in environment.sorted(by: { $0.key < $1.key }) where variable.hasPrefix("HEARTH_") {
            if let setting = variables[variable] {
                try set(setting, text, .environment(variable))
            } else if !otherVariables.contains(variable) {
                throw ServerSettingsError(
                    """
                    \(variable) in the environment is not a setting of the server; `hearth serve --help` lists the settings. \
                    Unset it, or correct its name.
                    """)
            }
        }
    }

    private mutating func set(
        _ setting: ServerSetting, _ text: String, _ source: SettingSource
    ) throws(ServerSettingsError) {
        let isOneLine = !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard isOneLine, setting.read(text, &configuration) else {
            let place =
                switch source {
                case .flag, .environment: source.text
                case .file, .builtIn: "\(source.text), \(setting.name)"
                }
            guard let problem = setting.problem(text) else {
                throw ServerSettingsError("\(place): '\(text)' is not possible; give \(setting.expectation).")
            }
            throw ServerSettingsError("\(place): \(problem). Give \(setting.expectation).")
        }
        sources[setting.name] = source
    }
}

/// A file of settings: lines `name = value`, empty lines, and comment lines that begin with `#`.
///
/// Spaces around the name and the value are ignored. Quotes and comments behind a value do not exist: everything there is part
/// of the value.
struct SettingsFile {
    struct Line: Equatable {
        let number: Int
        let name: String
        let value: String
    }

    let lines: [Line]

    /// - Throws: for a line of another form, and for a name that occurs twice.
    init(_ text: String, path: String) throws(ServerSettingsError) {
        var lines: [Line] = []
        var seen: [String: Int] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: Self.endsLine).enumerated() {
            let line = Self.trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let equals = line.firstIndex(of: "=") else {
                throw ServerSettingsError("\(path), line \(index + 1): '\(line)' is not of the form 'name = value'.")
            }
            let name = String(Self.trimmed(line[..<equals]))
            if let first = seen.updateValue(index + 1, forKey: name) {
                throw ServerSettingsError("\(path), line \(index + 1): '\(name)' is already set in line \(first).")
            }
            let value = String(Self.trimmed(line[line.index(after: equals)...]))
            lines.append(Line(number: index + 1, name: name, value: value))
        }
        self.lines = lines
    }

    /// The line breaks of all systems. To Swift, CR LF is one character that equals neither.
    private static func endsLine(_ character: Character) -> Bool { ["\n", "\r\n", "\r"].contains(character) }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

/// Where the value of a setting comes from, strongest first.
enum SettingSource: Sendable, Equatable {
    case flag(String)
    case environment(String)
    case file(String, line: Int)
    case builtIn

    /// The description in messages and in `--print-config`.
    var text: String {
        switch self {
        case .flag(let name): "--\(name)"
        case .environment(let variable): "\(variable) in the environment"
        case .file(let path, let line): "\(path), line \(line)"
        case .builtIn: "default"
        }
    }
}

/// Settings in the form of a file for `--config`, with the source of each value.
package struct SettingsListing {
    private let reader: SettingsReader

    package init(reader: SettingsReader) { self.reader = reader }

    package var text: String {
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

    private func source(_ setting: ServerSetting) -> SettingSource {
        reader.sources[setting.name] ?? .builtIn
    }
}

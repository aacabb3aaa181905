/// Where a setting's value comes from, strongest first.
enum ConfigurationSource: Sendable, Equatable {
    case flag(String)
    case environment(String)
    case file(String, line: Int)
    case builtIn

    /// As a message and `--print-config` name it.
    var text: String {
        switch self {
        case .flag(let name): "--\(name)"
        case .environment(let variable): "\(variable) in the environment"
        case .file(let path, let line): "\(path), line \(line)"
        case .builtIn: "default"
        }
    }
}

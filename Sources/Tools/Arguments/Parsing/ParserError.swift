/// Why the arguments are not a command, or that they ask for help or the version instead.
enum ParserError: Error, CustomStringConvertible {
    case helpRequested
    case versionRequested
    case missingArgument(String)
    case missingValue(String)
    case valueForFlag(String, value: String)
    case invalidValue(String, argument: String, remedy: String?)
    case unknownOption(String, suggestion: String?)
    case unknownSubcommand(String, suggestion: String?)
    case unexpectedArguments([String])
    case renamed(String, now: String)

    var description: String { text.singleLine }

    private var text: String {
        switch self {
        case .helpRequested: "Help was requested"
        case .versionRequested: "The version was requested"
        case .missingArgument(let argument):
            "Missing expected argument '\(argument)'"
        case .missingValue(let option):
            "Missing value for '\(option)'"
        case .valueForFlag(let name, let value):
            "The option '\(name)' takes no value, but '\(value)' was given"
        case .invalidValue(let value, let argument, let remedy):
            "The value '\(value)' is invalid for '\(argument)'" + (remedy.map { ". Please provide \($0)." } ?? "")
        case .unknownOption(let option, let suggestion):
            "Unknown option '\(option)'" + Self.didYouMean(suggestion)
        case .unknownSubcommand(let name, let suggestion):
            "Unknown subcommand '\(name)'" + Self.didYouMean(suggestion)
        case .unexpectedArguments(let arguments):
            Self.unexpected(arguments)
        case .renamed(let old, let now):
            "'\(old)' is now '\(now)'."
        }
    }

    private static func unexpected(_ arguments: [String]) -> String {
        let quoted = arguments.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
        if arguments.count == 1 { return "Unexpected argument \(quoted)" }
        return "\(arguments.count) unexpected arguments: \(quoted)" + (arguments.count > 5 ? " ..." : "")
    }

    private static func didYouMean(_ suggestion: String?) -> String {
        suggestion.map { ". Did you mean '\($0)'?" } ?? ""
    }
}

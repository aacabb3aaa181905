/// Finds the command that the arguments name, and fills in its values.
struct CommandParser {
    let root: any ParsableCommand.Type

    /// A parsed command line.
    struct Parsed {
        /// The validated command.
        var command: any ParsableCommand
        /// The command's place in the tree.
        var path: CommandPath
    }

    /// Throws ``CommandError``.
    func parse(_ tokens: [String]) throws -> Parsed {
        let (path, rest) = try route(tokens)
        do {
            return Parsed(command: try Self.fill(path, rest), path: path)
        } catch let error as ParserError {
            throw CommandError(path: path, reason: .parser(error))
        } catch {
            throw CommandError(path: path, reason: .validation(error))
        }
    }

    /// Follows the subcommand names at the beginning of the arguments, and default subcommands where there is no name.
    private func route(_ tokens: [String]) throws -> (path: CommandPath, rest: [String]) {
        var path = CommandPath(root: root)
        var rest = tokens[...]
        while !path.configuration.subcommands.isEmpty {
            if let name = rest.first, let subcommand = path.subcommand(named: name) {
                path = path.appending(subcommand)
                rest = rest.dropFirst()
            } else if let name = rest.first, let now = path.configuration.renamed[name] {
                throw CommandError(path: path, reason: .parser(.renamed(name, now: now)))
            } else if rest.first == "help" {
                throw helpError(path, names: rest.dropFirst())
            } else if let fallback = path.configuration.defaultSubcommand, !Self.isRequest(rest.first, path) {
                path = path.appending(fallback)
            } else {
                break
            }
        }
        return (path, Array(rest))
    }

    /// `help models push`: the help of the command that the names lead to.
    private func helpError(_ start: CommandPath, names: ArraySlice<String>) -> CommandError {
        var path = start
        for name in names where !name.hasPrefix("-") {
            guard let subcommand = path.subcommand(named: name) else {
                return CommandError(path: path, reason: .parser(Self.unknownSubcommand(name, path)))
            }
            path = path.appending(subcommand)
        }
        return CommandError(path: path, reason: .parser(.helpRequested))
    }

    private static func isRequest(_ token: String?, _ path: CommandPath) -> Bool {
        guard let token else { return false }
        return tokenParser(path).request(for: token) != nil
    }

    private static func tokenParser(_ path: CommandPath) -> TokenParser {
        TokenParser(
            arguments: ArgumentSet(path.leaf), helpNames: path.helpNames,
            hasVersion: !path.configuration.version.isEmpty, renamed: path.configuration.renamed)
    }

    private static func fill(
        _ path: CommandPath, _ tokens: [String]
    ) throws -> any ParsableCommand {
        var parser = tokenParser(path)
        let (texts, extra) = try parse(tokens, of: path, with: &parser)
        if let first = extra.first {
            throw path.configuration.subcommands.isEmpty
                ? ParserError.unexpectedArguments(extra) : unknownSubcommand(first, path)
        }
        var values = parser.arguments.plainValues
        for definition in parser.arguments.definitions {
            values[definition.key] = try value(of: definition, texts[definition.key] ?? [])
        }
        var command = try path.leaf.init(from: ArgumentDecoder(values: values, key: []))
        try command.validate()
        return command
    }

    private static func parse(
        _ tokens: [String], of path: CommandPath, with parser: inout TokenParser
    ) throws(ParserError) -> (texts: [[String]: [String]], extra: [String]) {
        do {
            return try parser.parse(tokens)
        } catch {
            // The options belong to a subcommand whose name is wrong: report the name.
            guard case .unknownOption = error, !path.configuration.subcommands.isEmpty, let name = tokens.first,
                !name.hasPrefix("-")
            else { throw error }
            throw unknownSubcommand(name, path)
        }
    }

    private static func value(of definition: ArgumentDefinition, _ texts: [String]) throws(ParserError) -> Any {
        do {
            return try definition.declaration.convert(texts)
        } catch {
            switch error {
            case .missing: throw .missingArgument(definition.repeatingDisplay)
            case .invalid(let text):
                throw .invalidValue(text, argument: definition.display, remedy: definition.declaration.remedy)
            }
        }
    }

    private static func unknownSubcommand(_ name: String, _ path: CommandPath) -> ParserError {
        if let now = path.configuration.renamed[name] { return .renamed(name, now: now) }
        return .unknownSubcommand(name, suggestion: Suggestion.nearest(to: name, among: path.listing.map(\.name)))
    }
}

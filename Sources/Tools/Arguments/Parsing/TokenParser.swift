/// Assigns the tokens of one command to its arguments.
struct TokenParser {
    let arguments: ArgumentSet
    let helpNames: [ArgumentName]
    let hasVersion: Bool
    /// Old names of options, each with its new name.
    let renamed: [String: String]

    private var texts: [[String]: [String]] = [:]
    private var positionals: [String] = []

    init(
        arguments: ArgumentSet, helpNames: [ArgumentName], hasVersion: Bool, renamed: [String: String] = [:]
    ) {
        self.renamed = renamed
        self.arguments = arguments
        self.helpNames = helpNames
        self.hasVersion = hasVersion
    }

    /// The texts of each argument by key, and the positional tokens that no argument takes.
    mutating func parse(_ tokens: [String]) throws(ParserError) -> (texts: [[String]: [String]], extra: [String]) {
        // Help wins over all errors.
        for token in tokens.prefix(while: { $0 != "--" }) {
            if let request = request(for: token) { throw request }
        }
        var rest = tokens[...]
        while let token = rest.popFirst() {
            if token == "--" {
                positionals += rest
                break
            } else if token.hasPrefix("--") {
                try parseLong(token, &rest)
            } else if isOptionLike(token) {
                try parseShort(token, &rest)
            } else {
                positionals.append(token)
            }
        }
        let extra = assignPositionals()
        return (texts, extra)
    }

    /// The request for help or for the version in a token. The command's own arguments come first.
    func request(for token: String) -> ParserError? {
        func isFree(_ name: ArgumentName) -> Bool { arguments.named(name) == nil }
        if helpNames.contains(where: { $0.description == token && isFree($0) }) { return .helpRequested }
        let version = ArgumentName.long("version")
        if hasVersion && token == version.description && isFree(version) { return .versionRequested }
        return nil
    }

    private mutating func parseLong(_ token: String, _ rest: inout ArraySlice<String>) throws(ParserError) {
        let (text, value) = Self.splitValue(token)
        let name = ArgumentName.long(String(text.dropFirst(2)))
        guard let (definition, isInverse) = arguments.named(name) else {
            if let now = renamed[text] { throw .renamed(text, now: now) }
            throw .unknownOption(text, suggestion: suggestion(for: text))
        }
        try store(definition, name, isInverse: isInverse, value: value, &rest)
    }

    /// `-m value`, `-m=value`, or several flags in one token, of which the last may take a value: `-vm value`.
    private mutating func parseShort(_ token: String, _ rest: inout ArraySlice<String>) throws(ParserError) {
        let (text, value) = Self.splitValue(token)
        let letters = Array(text.dropFirst())
        if letters.isEmpty { throw .unknownOption(token, suggestion: nil) }
        for (index, letter) in letters.enumerated() {
            let name = ArgumentName.short(letter)
            guard let (definition, isInverse) = arguments.named(name) else {
                throw request(for: name.description) ?? .unknownOption(text, suggestion: suggestion(for: "-" + text))
            }
            if index == letters.count - 1 {
                try store(definition, name, isInverse: isInverse, value: value, &rest)
            } else if definition.takesValue {
                // More likely a long name behind one dash than an option without its value.
                throw suggestion(for: "-" + text).map { .unknownOption(text, suggestion: $0) }
                    ?? .missingValue("\(name) <\(definition.valueName)>")
            } else {
                texts[definition.key, default: []].append(ArgumentDeclaration.flagOn)
            }
        }
    }

    private mutating func store(
        _ definition: ArgumentDefinition, _ name: ArgumentName, isInverse: Bool, value: String?,
        _ rest: inout ArraySlice<String>
    ) throws(ParserError) {
        guard definition.takesValue else {
            if let value { throw .valueForFlag("\(name)", value: value) }
            let text = isInverse ? ArgumentDeclaration.flagOff : ArgumentDeclaration.flagOn
            texts[definition.key, default: []].append(text)
            return
        }
        if let value {
            texts[definition.key, default: []].append(value)
        } else if let next = rest.first, !isOptionLike(next) {
            texts[definition.key, default: []].append(rest.removeFirst())
        } else {
            throw .missingValue("\(name) <\(definition.valueName)>")
        }
    }

    /// Gives the positional tokens to the positional arguments in order, and returns the rest.
    private mutating func assignPositionals() -> [String] {
        var rest = positionals[...]
        for definition in arguments.definitions where definition.isPositional && !rest.isEmpty {
            let count = definition.declaration.isRepeating ? rest.count : 1
            texts[definition.key] = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return Array(rest)
    }

    /// Whether a token looks like an option. `-` alone (by custom standard input) does not. A negative number, or a list or
    /// range that begins with one, does not either, unless the command has a digit as an option's name.
    private func isOptionLike(_ token: String) -> Bool {
        guard token.hasPrefix("-"), let second = token.dropFirst().first else { return false }
        let isNegativeNumber =
            (second.isNumber || second == ".") && token.dropFirst().allSatisfy { $0.isNumber || ".,:eE+-".contains($0) }
        return !isNegativeNumber || arguments.named(.short(second)) != nil
    }

    private func suggestion(for option: String) -> String? {
        var candidates = (arguments.shownNames + helpNames).filter { !$0.isShort }.map(\.description)
        if hasVersion { candidates.append("--version") }
        return Suggestion.nearest(to: option, among: candidates)
    }

    private static func splitValue(_ token: String) -> (name: String, value: String?) {
        guard let equals = token.firstIndex(of: "=") else { return (token, nil) }
        return (String(token[..<equals]), String(token[token.index(after: equals)...]))
    }
}

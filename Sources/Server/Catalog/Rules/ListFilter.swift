/// The list filter of the management API: `displayName = x`, `displayName : prefix*`, `tags : t`,
/// `state.published = true`, their opposites with `!=` (of a tag, with `NOT`), joined by `AND`, `OR` and parentheses.
///
/// As in AIP-160, `OR` binds tighter than `AND`, two terms side by side mean `AND`, and `NOT` or a hyphen before a term
/// negates it. Orderings (`<`, `>=`) are refused.
package struct ListFilter: Sendable {
    private indirect enum Node: Sendable {
        case displayName(String, isPrefix: Bool)
        case tag(String)
        case published(Bool)
        case not(Node)
        case all([Node])
        case any([Node])
    }

    private let node: Node

    /// - Throws: `invalidArgument` for all other texts, with the message that existing tests compare.
    package init(_ text: String) throws(CatalogError) {
        guard text.utf8.count <= 2048 else { throw Self.invalid }
        var parser = Parser(tokens: try Self.tokens(of: text))
        node = try parser.sequence(depth: 0)
        guard parser.isAtEnd else { throw Self.invalid }
    }

    package func matches(_ model: Model) -> Bool { Self.matches(node, model) }

    private static let invalid = CatalogError(.invalidArgument, "Request contains an invalid argument.")

    private static func matches(_ node: Node, _ model: Model) -> Bool {
        switch node {
        case .displayName(let name, let isPrefix):
            isPrefix ? model.displayName.hasPrefix(name) : model.displayName == name
        case .tag(let tag): model.tags.contains(tag)
        case .published(let value): model.isPublished == value
        case .not(let node): !matches(node, model)
        case .all(let nodes): nodes.allSatisfy { matches($0, model) }
        case .any(let nodes): nodes.contains { matches($0, model) }
        }
    }

    private enum Token: Equatable {
        case word(String)
        case quoted(String)
        /// `(`, `)`, `=`, `:` or `!=`.
        case symbol(String)
    }

    /// Whether a word ends here. A `!` is a letter, except before an equals sign: then it begins a symbol.
    private static func endsWord(_ rest: Substring, _ index: Substring.Index) -> Bool {
        rest[index].isWhitespace || "()=:'\"".contains(rest[index]) || rest[index...].hasPrefix("!=")
    }

    private static func tokens(of text: String) throws(CatalogError) -> [Token] {
        var tokens: [Token] = []
        var rest = Substring(text)
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if "()=:".contains(first) {
                tokens.append(.symbol(String(first)))
                rest.removeFirst()
            } else if rest.hasPrefix("!=") {
                tokens.append(.symbol("!="))
                rest.removeFirst(2)
            } else if first == "'" || first == "\"" {
                rest.removeFirst()
                guard let end = rest.firstIndex(of: first) else { throw invalid }
                tokens.append(.quoted(String(rest[..<end])))
                rest = rest[rest.index(after: end)...]
            } else {
                let end = rest.indices.first { endsWord(rest, $0) } ?? rest.endIndex
                tokens.append(.word(String(rest[..<end])))
                rest = rest[end...]
            }
        }
        return tokens
    }

    private struct Parser {
        private var tokens: [Token]
        private var position = 0

        init(tokens: [Token]) { self.tokens = tokens }

        var isAtEnd: Bool { position == tokens.count }

        private var next: Token? { isAtEnd ? nil : tokens[position] }

        /// Factors joined by AND or nothing.
        mutating func sequence(depth: Int) throws(CatalogError) -> Node {
            guard depth < 16 else { throw invalid }
            var nodes = [try factor(depth: depth)]
            while let token = next, token != .symbol(")") {
                if token == .word("AND") { position += 1 }
                nodes.append(try factor(depth: depth))
            }
            return nodes.count == 1 ? nodes[0] : .all(nodes)
        }

        /// Terms joined by OR.
        private mutating func factor(depth: Int) throws(CatalogError) -> Node {
            var nodes = [try term(depth: depth)]
            while next == .word("OR") {
                position += 1
                nodes.append(try term(depth: depth))
            }
            return nodes.count == 1 ? nodes[0] : .any(nodes)
        }

        private mutating func term(depth: Int) throws(CatalogError) -> Node {
            guard case .word(let word) = next else { return try simple(depth: depth) }
            if word == "NOT" {
                position += 1
            } else if word == "-" {
                // A hyphen alone is allowed before parentheses only.
                position += 1
                guard next == .symbol("(") else { throw invalid }
            } else if word.hasPrefix("-") {
                tokens[position] = .word(String(word.dropFirst()))
            } else {
                return try simple(depth: depth)
            }
            return .not(try simple(depth: depth))
        }

        /// A restriction, or an expression in parentheses.
        private mutating func simple(depth: Int) throws(CatalogError) -> Node {
            if next == .symbol("(") {
                position += 1
                let node = try sequence(depth: depth + 1)
                guard next == .symbol(")") else { throw invalid }
                position += 1
                return node
            }
            guard position + 2 < tokens.count, case .word(let field) = tokens[position],
                case .symbol(let comparison) = tokens[position + 1]
            else { throw invalid }
            let value: String
            switch tokens[position + 2] {
            case .word(let text), .quoted(let text): value = text
            case .symbol: throw invalid
            }
            position += 3
            return try ListFilter.restriction(field, comparison, value)
        }
    }

    private static func restriction(
        _ field: String, _ comparison: String, _ value: String
    ) throws(CatalogError) -> Node {
        switch (field, comparison) {
        case (_, "!="):
            return .not(try restriction(field, "=", value))
        case ("displayName", "="), ("display_name", "="):
            return .displayName(value, isPrefix: false)
        case ("displayName", ":"), ("display_name", ":"):
            return value.hasSuffix("*")
                ? .displayName(String(value.dropLast()), isPrefix: true) : .displayName(value, isPrefix: false)
        case ("tags", ":"):
            return .tag(value)
        case ("state.published", "="):
            guard value == "true" || value == "false" else { throw invalid }
            return .published(value == "true")
        default:
            throw invalid
        }
    }
}

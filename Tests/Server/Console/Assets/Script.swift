/// What a script of the pages calls, as far as its text says it.
///
/// This reads text and runs nothing. It knows the ways in which scripts make calls today: `call("GET", path)`,
/// `fetch(callAddress(path))`, `request.open("PUT", callAddress(path))`, and functions that pass their first parameter on to
/// one of these. The path is a template, or the name of a constant or function that is nothing but a template.
///
/// It finds a call with another kind of path too, and says that it cannot read it. It does not see
/// - a call whose method is no text, and a request that uses neither `call` nor `callAddress` nor `fetch`;
/// - the names of values: what stands in `${…}` is any segment, or the part of a segment before a verb;
/// - which call a `.name` means, which is a path of its own: any call that goes on there will do;
/// - whether a path that comes as a parameter is that of the constant with the same name in another script;
/// - queries, bodies, header fields, and what is read from answers.
struct Script {
    struct Call: Hashable, Comparable, CustomStringConvertible {
        var method: String
        /// With `{}` for each value, and `{+}` for a name that may have several segments.
        var path: String

        var description: String { "\(method) \(path)" }
        static func < (left: Call, right: Call) -> Bool { left.description < right.description }
    }

    private let text: String
    /// The texts of templates by the names of constants and functions.
    private let templates: [String: String]

    /// - Parameter others: scripts from which paths come as parameters of the same name.
    init(_ source: String, others: [String] = []) {
        text = Self.withoutComments(source)
        templates = others.map { Self.templates(Self.withoutComments($0)) }.reduce(Self.templates(text)) {
            $0.merging($1) { own, _ in own }
        }
    }

    /// The calls, and the paths that cannot be read.
    func calls() -> (found: Set<Call>, unknown: [String]) {
        var (found, unknown) = (Set<Call>(), [String]())
        let helpers = helpers()
        let parameters = Set(helpers.map(\.parameter)).union(["path"])
        for (method, expression) in places(helpers.map { ($0.name, $0.method) }) {
            if let path = path(expression) {
                found.insert(Call(method: method, path: path))
            } else if !parameters.contains(expression) {
                unknown.append("\(method) \(expression)")
            }
        }
        for range in text.ranges(of: /\bfetch\((?!callAddress\()/) {
            unknown.append("fetch \(Self.expression(text[range.upperBound...]))")
        }
        return (found, unknown.sorted())
    }

    /// All paths that stand in the text, as far as they stand in one template.
    var spelled: Set<String> {
        Set(text.ranges(of: /[`"]\/[a-z]/).compactMap { path(Self.expression(text[$0.lowerBound...])) })
    }

    // MARK: Where calls are made

    private func helpers() -> [(name: String, method: String, parameter: String)] {
        let arrows = text.matches(of: /const (\w+) = \((\w+)[^)]*\) => call\("([A-Z]+)", (\w+)\b/)
            .filter { $0.2 == $0.4 }.map { (String($0.1), String($0.3), String($0.2)) }
        let bodies = text.matches(of: /function (\w+)\((\w+)[^)]*\) \{((?:\n[^}\n].*|\n)*)\n\}/)
        let functions = bodies.compactMap { match in
            match.3.firstMatch(of: /\.open\("([A-Z]+)", callAddress\((\w+)\)/).flatMap { inner in
                inner.2 == match.2 ? (String(match.1), String(inner.1), String(match.2)) : nil
            }
        }
        return arrows + functions
    }

    private func places(_ helpers: [(name: String, method: String)]) -> [(method: String, expression: String)] {
        var places: [(String, String)] = []
        for match in text.matches(of: /\bcall\("([A-Z]+)",\s*/) {
            places.append((String(match.1), Self.expression(text[match.range.upperBound...])))
        }
        for (name, method) in helpers {
            for range in text.ranges(of: name + "(") where !isPartOfName(range.lowerBound) {
                places.append((method, Self.expression(text[range.upperBound...])))
            }
        }
        for range in text.ranges(of: "callAddress(") {
            let before = text[..<range.lowerBound]
            let expression = Self.expression(text[range.upperBound...])
            if let open = before.suffix(20).firstMatch(of: /\.open\("([A-Z]+)", $/) {
                places.append((String(open.1), expression))
            } else {
                // Behind the path: the options of `fetch`, up to the end of its call.
                let rest = text[range.upperBound...].dropFirst(expression.count)
                let options = Self.expression(rest.drop { $0 != "{" && $0 != ";" }, endsAtComma: false)
                let method = rest.hasPrefix("), {") ? options.firstMatch(of: /\bmethod: "([A-Z]+)"/).map { $0.1 } : nil
                places.append((method.map(String.init) ?? "GET", expression))
            }
        }
        return places
    }

    private func isPartOfName(_ index: String.Index) -> Bool {
        guard index > text.startIndex else { return false }
        let before = text[text.index(before: index)]
        return before.isLetter || before == "." || text[..<index].hasSuffix("function ")
    }

    // MARK: What a path is

    /// Nil for an expression that is no template, and no name of one.
    private func path(_ expression: String) -> String? {
        guard let template = template(expression) else { return nil }
        let filled = filled(template).prefix { $0 != "?" }
        return filled.hasPrefix("/") ? String(filled) : nil
    }

    private func template(_ expression: String) -> String? {
        if expression.hasPrefix("`"), expression.hasSuffix("`") { return String(expression.dropFirst().dropLast()) }
        if expression.hasPrefix("\""), expression.hasSuffix("\"") { return String(expression.dropFirst().dropLast()) }
        return templates[String(expression.prefix { $0.isLetter || $0.isNumber })]
    }

    private func filled(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            result += rest[..<start.lowerBound]
            let value = Self.expression(rest[start.upperBound...], endsAtComma: false)
            rest = rest[start.upperBound...].dropFirst(value.count + 1)
            if !value.hasPrefix("`"), let known = template(value).map(filled), known.hasPrefix("/") {
                result += known
            } else if value.hasSuffix(".name") {
                result += "{+}"
            } else if !result.hasSuffix("{}") {
                // A second value right behind another is a query that may be empty.
                result += "{}"
            }
        }
        return result + rest
    }

    private static func templates(_ text: String) -> [String: String] {
        var templates: [String: String] = [:]
        for match in text.matches(of: /const (\w+) = (?:\(\w*\) => )?(?=`\/|`\$\{)/) {
            let value = expression(text[match.range.upperBound...])
            templates[String(match.1)] = String(value.dropFirst().dropLast())
        }
        return templates
    }

    // MARK: Reading JavaScript

    /// The text up to the end of the expression: a closing bracket, a semicolon, or a comma unless it may have some.
    private static func expression(_ text: Substring, endsAtComma: Bool = true) -> String {
        var (open, result) = ([Character](), "")
        for character in text {
            let isInTemplate = open.last == "`"
            switch character {
            case "`" where isInTemplate: open.removeLast()
            case "`": open.append("`")
            // In a template, only the brace of `${` means something.
            case "{" where isInTemplate && result.hasSuffix("$"): open.append(character)
            case _ where isInTemplate: break
            case "{", "(", "[": open.append(character)
            case "}", ")", "]":
                if open.isEmpty { return result }
                open.removeLast()
            case ";" where open.isEmpty: return result
            case "," where open.isEmpty && endsAtComma: return result
            default: break
            }
            result.append(character)
        }
        return result
    }

    private static func withoutComments(_ source: String) -> String {
        source.replacing(/\/\*(?s:.*?)\*\//, with: "").split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") ? "" : String($0) }.joined(separator: "\n")
    }
}

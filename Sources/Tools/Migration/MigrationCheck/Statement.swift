/// The imports and the package of a line.
struct Statement {
    private(set) var imports: [SourceText.Import] = []
    private(set) var package: String?

    /// `@testable import X`, `import class X.Y`, `@import X;`, `#import <X/Y.h>`, `import static a.b.C;`
    static func all(_ line: SourceReader.Line, _ language: SourceLanguage) -> Statement {
        var result = Statement()
        guard line.code.count <= longestLine else { return result }
        let text = String(decoding: line.code, as: UTF8.self)
        for part in text.split(separator: ";") {
            var words = part.split { $0 == " " || $0 == "\t" }
            if language == .objectiveC {
                guard let name = header(part) ?? module(words) else { return result }
                result.imports.append(SourceText.Import(name: name, line: line.number))
                continue
            }
            let isShared = words.first == "@_exported" || words.first == "public"
            while language == .swift, let first = words.first, first.hasPrefix("@") || accessLevels.contains(first) {
                words.removeFirst()
            }
            guard words.count > 1 else { return result }
            if language.importsClasses, words[0] == "package" {
                result.package = String(words[1])
            } else if words[0] == "import" {
                let place = kinds.contains(words[1]) ? 2 : 1
                guard words.count > place else { return result }
                var found = SourceText.Import(name: String(words[place]), line: line.number, isShared: isShared)
                if words.count > place + 2, words[place + 1] == "as" { found.alias = String(words[place + 2]) }
                result.imports.append(found)
            } else {
                return result
            }
        }
        return result
    }

    private static let longestLine = 10_000
    private static let accessLevels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
    private static let kinds: Set<Substring> = [
        "static", "class", "struct", "enum", "func", "protocol", "typealias", "var", "let",
    ]

    /// `#import <X/Y.h>`, `# include "X.h"`
    private static func header(_ part: Substring) -> String? {
        var rest = part.drop { $0 == " " || $0 == "\t" }
        guard rest.popFirst() == "#" else { return nil }
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard let word = ["import", "include"].first(where: { rest.hasPrefix($0) }) else { return nil }
        rest = rest.dropFirst(word.count).drop { $0 == " " || $0 == "\t" }
        guard let quote = rest.popFirst(), quote == "<" || quote == "\"" else { return nil }
        return String(rest.prefix { $0 != ">" && $0 != "\"" })
    }

    /// `@import X`
    private static func module(_ words: [Substring]) -> String? {
        words.first == "@import" && words.count > 1 ? String(words[1]) : nil
    }
}

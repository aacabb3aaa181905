import Foundation

/// The description of a model that Ultralytics' exporter writes:
///
///     {'task': 'classify', 'imgsz': [224, 224], 'names': {0: 'cat', 1: 'dog'}, 'args': {'nms': False}}
///
/// It is the text of a Python dictionary, or JSON with the same members. `names` is a dictionary by number, or a list.
/// Free of side effects.
package struct ExporterDescription: Sendable, Equatable {
    /// The names of the classes, by number; nil when not all classes from 0 up have one.
    package let names: [String]?
    /// `detect`, `classify`, `segment`, `pose` or `obb`; nil when not stated.
    package let task: String?

    /// The file's name in a model's zip, where nothing else names it.
    package static let fileName = "metadata.json"

    private static let largestCount = 100_000

    /// Whether `text` has the form of such a description. A list of labels does not.
    static func isDescription(_ text: String) -> Bool {
        let text = text.utf8.drop { PythonLiteral.isGap($0) }
        return text.first == UInt8(ascii: "{") && text.last { !PythonLiteral.isGap($0) } == UInt8(ascii: "}")
    }

    /// nil when the text is something else.
    init?(_ text: String) {
        guard Self.isDescription(text), let members = Self.json(text) ?? Self.python(text) else { return nil }
        (names, task) = (members.names.flatMap(Self.ordered), members.task)
    }

    private struct Members {
        /// By the text of the number.
        var names: [String: String]?
        var task: String?
    }

    private static func ordered(_ names: [String: String]) -> [String]? {
        guard !names.isEmpty, names.count <= largestCount else { return nil }
        let ordered = (0..<names.count).compactMap { names[String($0)] }
        return ordered.count == names.count ? ordered : nil
    }

    private static func json(_ text: String) -> Members? {
        struct Names: Decodable {
            let byNumber: [String: String]

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                byNumber =
                    try (try? container.decode([String: String].self))
                    ?? ExporterDescription.byNumber(container.decode([String].self))
            }
        }
        struct Content: Decodable {
            let names: Names?
            let task: String?
        }
        let content = try? JSONDecoder().decode(Content.self, from: Data(text.utf8))
        return content.map { Members(names: $0.names?.byNumber, task: $0.task) }
    }

    private static func python(_ text: String) -> Members? {
        guard case .members(let members)? = PythonLiteral(text) else { return nil }
        func value(_ key: String) -> PythonLiteral? { members.first { $0.key == .text(key) }?.value }
        var found = Members(names: value("names").flatMap(names))
        if case .text(let task)? = value("task") { found.task = task }
        return found
    }

    private static func names(_ value: PythonLiteral) -> [String: String]? {
        switch value {
        case .members(let names):
            var found: [String: String] = [:]
            for member in names {
                guard case .word(let number) = member.key, case .text(let name) = member.value,
                    found.updateValue(name, forKey: number) == nil
                else { return nil }
            }
            return found
        case .list(let names):
            let texts = names.compactMap { if case .text(let text) = $0 { text } else { nil } }
            return texts.count == names.count ? byNumber(texts) : nil
        case .text, .word: return nil
        }
    }

    private static func byNumber(_ names: [String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: names.enumerated().map { (String($0.offset), $0.element) })
    }
}

/// A value in the text form of Python: texts, lists and dictionaries. Everything else, such as a number, is a word.
indirect enum PythonLiteral: Equatable {
    struct Member: Equatable {
        var key: PythonLiteral
        var value: PythonLiteral
    }

    case text(String)
    case word(String)
    case list([PythonLiteral])
    case members([Member])

    private static let largestDepth = 16

    /// nil when the text is not exactly one value.
    init?(_ text: String) {
        var rest = text[...].utf8
        guard let value = Self.value(&rest, depth: 0) else { return nil }
        Self.skipGaps(&rest)
        guard rest.isEmpty else { return nil }
        self = value
    }

    static func isGap(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

    private static func value(_ rest: inout Substring.UTF8View, depth: Int) -> PythonLiteral? {
        skipGaps(&rest)
        guard depth <= largestDepth, let first = rest.first else { return nil }
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return text(&rest).map { .text($0) }
        case UInt8(ascii: "["): return list(&rest, end: UInt8(ascii: "]"), depth: depth)
        case UInt8(ascii: "("): return list(&rest, end: UInt8(ascii: ")"), depth: depth)
        case UInt8(ascii: "{"): return members(&rest, depth: depth)
        default:
            let word = rest.prefix { !isGap($0) && !"'\"()[]{}:,".utf8.contains($0) }
            rest = rest[word.endIndex...]
            return word.isEmpty ? nil : .word(String(Substring(word)))
        }
    }

    private static func list(_ rest: inout Substring.UTF8View, end: UInt8, depth: Int) -> PythonLiteral? {
        var items: [PythonLiteral] = []
        rest.removeFirst()
        while !take(end, &rest) {
            guard items.isEmpty || take(UInt8(ascii: ","), &rest) else { return nil }
            if !items.isEmpty, take(end, &rest) { break }
            guard let item = value(&rest, depth: depth + 1) else { return nil }
            items.append(item)
        }
        return .list(items)
    }

    private static func members(_ rest: inout Substring.UTF8View, depth: Int) -> PythonLiteral? {
        let end = UInt8(ascii: "}")
        var members: [Member] = []
        rest.removeFirst()
        while !take(end, &rest) {
            guard members.isEmpty || take(UInt8(ascii: ","), &rest) else { return nil }
            if !members.isEmpty, take(end, &rest) { break }
            guard let key = value(&rest, depth: depth + 1), take(UInt8(ascii: ":"), &rest),
                let item = value(&rest, depth: depth + 1)
            else { return nil }
            members.append(Member(key: key, value: item))
        }
        return .members(members)
    }

    /// A text with either quote.
    private static func text(_ rest: inout Substring.UTF8View) -> String? {
        let quote = rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote { return String(validating: bytes, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard let character = escaped(&rest) else { return nil }
            bytes += character
        }
        return nil
    }

    /// What an escape stands for, from behind its backslash. As in Python, an unknown one stands for itself.
    private static func escaped(_ rest: inout Substring.UTF8View) -> [UInt8]? {
        guard let name = rest.popFirst() else { return nil }
        let digits: Int
        switch name {
        case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): return [name]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "x"): digits = 2
        case UInt8(ascii: "u"): digits = 4
        case UInt8(ascii: "U"): digits = 8
        default: return [UInt8(ascii: "\\"), name]
        }
        let code = rest.prefix(digits)
        guard code.count == digits, code.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let scalar = UInt32(Substring(code), radix: 16).flatMap(UnicodeScalar.init)
        else { return nil }
        rest = rest.dropFirst(digits)
        return Array(String(scalar).utf8)
    }

    private static func take(_ byte: UInt8, _ rest: inout Substring.UTF8View) -> Bool {
        skipGaps(&rest)
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private static func skipGaps(_ rest: inout Substring.UTF8View) {
        rest = rest.drop(while: isGap)
    }
}

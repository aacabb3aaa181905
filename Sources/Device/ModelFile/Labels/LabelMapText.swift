/// The text form of TensorFlow's label maps, usually called `.pbtxt`:
///
///     item { id: 1 name: "/m/01g317" display_name: "person" }
///
/// Ids count from 1, because 0 is the background. The class that a model returns is the id minus 1.
struct LabelMapText {
    /// By class; empty for ids that the map leaves out.
    private(set) var classNames: [String] = []
    /// By class; nil when no item has one.
    private(set) var displayNames: [String]?

    private static let largestID = 100_000

    /// Whether `text` begins like such a map.
    static func isLabelMap(_ text: String) -> Bool {
        var lexer = Lexer(text)
        return lexer.next() == .word("item") && lexer.next() == .open
    }

    /// - Throws: `labelsMismatch` when the text does not have this form.
    init(_ text: String) throws(ModelFileError) {
        var names: [Int: String] = [:]
        var displayed: [Int: String] = [:]
        var lexer = Lexer(text)
        while let token = lexer.next() {
            guard token == .word("item"), lexer.next() == .open else { throw Self.damaged("an item is expected") }
            let fields = try Self.fields(&lexer)
            guard let id = fields["id"].flatMap({ Int($0) }), 0...Self.largestID ~= id else {
                throw Self.damaged("an item has no id from 1 to \(Self.largestID)")
            }
            guard names[id] == nil else { throw Self.damaged("two items have the id \(id)") }
            names[id] = fields["name"] ?? fields["display_name"] ?? ""
            displayed[id] = fields["display_name"]
        }
        guard let count = names.keys.max(), count > 0 else { throw Self.damaged("no item has an id above 0") }
        classNames = (0..<count).map { names[$0 + 1] ?? "" }
        displayNames = displayed.isEmpty ? nil : (0..<count).map { displayed[$0 + 1] ?? names[$0 + 1] ?? "" }
    }

    /// The fields between an item's braces.
    private static func fields(_ lexer: inout Lexer) throws(ModelFileError) -> [String: String] {
        var fields: [String: String] = [:]
        while true {
            switch lexer.next() {
            case .close: return fields
            case .word(let name):
                guard lexer.next() == .colon, let value = lexer.next()?.value else { fallthrough }
                fields[name] = value
            default: throw damaged("an item holds something other than 'name: value'")
            }
        }
    }

    private static func damaged(_ reason: String) -> ModelFileError {
        ModelFileError(.labelsMismatch, "the label map is damaged: \(reason)")
    }

    private enum Token: Equatable {
        case open, close, colon
        /// A name or a number.
        case word(String)
        case text(String)

        var value: String? {
            switch self {
            case .word(let text), .text(let text): text
            case .open, .close, .colon: nil
            }
        }
    }

    /// Splits the text into tokens and skips comments, from # to the end of the line.
    private struct Lexer {
        private var rest: Substring.UTF8View

        init(_ text: String) {
            rest = text[...].utf8
        }

        mutating func next() -> Token? {
            skipGaps()
            guard let first = rest.popFirst() else { return nil }
            switch first {
            case UInt8(ascii: "{"): return .open
            case UInt8(ascii: "}"): return .close
            case UInt8(ascii: ":"): return .colon
            case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(quoted(until: first))
            default:
                let tail = rest.prefix { !Self.isGap($0) && !"{}:\"'#,;".utf8.contains($0) }
                rest = rest[tail.endIndex...]
                return .word(String(decoding: [first] + tail, as: UTF8.self))
            }
        }

        /// A backslash keeps the next character unchanged.
        private mutating func quoted(until quote: UInt8) -> String {
            var bytes: [UInt8] = []
            while let byte = rest.popFirst(), byte != quote {
                if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                    bytes.append(escaped)
                } else {
                    bytes.append(byte)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        private mutating func skipGaps() {
            while let first = rest.first {
                if first == UInt8(ascii: "#") {
                    rest = rest.drop { $0 != UInt8(ascii: "\n") }
                } else if Self.isGap(first) {
                    rest = rest.drop(while: Self.isGap)
                } else {
                    return
                }
            }
        }

        /// White space, and the separators that may follow fields.
        private static func isGap(_ byte: UInt8) -> Bool {
            " \t\r\n,;".utf8.contains(byte)
        }
    }
}

import HearthModelFile

/// The names of a detection model's classes. Free of side effects.
///
/// A detector's label file may begin with a line for the background, which is not one of the model's classes; then line
/// 1 names class 0. Where the number of classes is known, the number of lines decides, and the first line must be one that
/// stands for the background. Otherwise a first line `background` does.
struct DetectionLabels: Sendable {
    /// How many classes the model scores, where this is known.
    enum ClassCount: Sendable {
        case unknown
        /// Classes of boxes that the model selected: the background is not among them.
        case perBox(Int)
        /// Classes of places: the first one may be the background.
        case perAnchor(Int)
    }

    private let map: LabelMap?
    /// The line that names class 0.
    let offset: Int
    /// Whether class 0 means background.
    let hasBackgroundClass: Bool

    private static let background = "background"
    /// What label files begin with where their first line names no class.
    private static let backgrounds: Set<String> = [
        "background", "bg", "unknown", "unlabeled", "unlabelled", "unused", "none", "nothing", "null", "empty", "void",
        "",
    ]

    /// - Parameter offset: The line that names class 0, if the caller chooses it.
    /// - Throws: When the number of labels does not fit the number of classes.
    init(_ map: LabelMap?, _ classCount: ClassCount, offset: Int? = nil) throws {
        self.map = map
        self.offset = try offset ?? map.map { try Self.offset($0, classCount) } ?? 0
        if case .perAnchor = classCount, let map {
            hasBackgroundClass = self.offset == -1 || (self.offset == 0 && map.className(0) == Self.background)
        } else {
            hasBackgroundClass = false
        }
    }

    /// How many labels there are.
    var count: Int { map?.count ?? 0 }

    /// The labels of the classes from 0, in the order of their numbers; nil without labels.
    var names: [String]? {
        guard map != nil else { return nil }
        return (0..<max(0, count - offset)).map { text(ofClass: $0) }
    }

    /// The label's text for people; empty when there is none.
    func text(ofClass index: Int) -> String {
        let (line, overflow) = index.addingReportingOverflow(offset)
        guard !overflow, let text = map?.displayName(line) else { return "" }
        return PythonBytes.text(of: text) ?? text
    }

    private static func offset(_ map: LabelMap, _ classCount: ClassCount) throws -> Int {
        switch classCount {
        case .unknown: return map.className(0) == background ? 1 : 0
        case .perBox(let count), .perAnchor(let count):
            // Some label files end with blank lines.
            let lastName = map.classNames.lastIndex { !$0.isEmpty } ?? -1
            for lines in [map.count, lastName + 1] {
                if lines == count { return 0 }
                if lines == count + 1, namesNoClass(map.className(0) ?? "") { return 1 }
                if case .perAnchor = classCount, lines == count - 1 { return -1 }
            }
            throw VisionError.make(
                .failedPrecondition,
                """
                The model has \(count) classes, but its label file has \(map.count) labels; use a label file with \
                one line for each class, in the order of their numbers. If you named a layout, check that it is the right \
                one.
                """)
        }
    }

    /// Whether the first line of a label file stands for the background: `background`, `__background__`, `???`.
    private static func namesNoClass(_ name: String) -> Bool {
        backgrounds.contains(String(name.lowercased().filter { $0.isLetter || $0.isNumber }))
    }
}

/// Labels that a Python program wrote as byte strings: `b'Tomato'` means Tomato.
enum PythonBytes {
    /// The text of such a literal; nil when `literal` is not one, or when its bytes are not UTF-8.
    static func text(of literal: String) -> String? {
        let bytes = Array(literal.utf8)
        guard bytes.count >= 3, bytes[0] == UInt8(ascii: "b"), let quote = bytes.last, bytes[1] == quote,
            quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"")
        else { return nil }
        return unescaped(bytes[2..<bytes.count - 1]).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "x"):
                let digits = rest.prefix(2)
                guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                    let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
                else { return nil }
                result.append(value)
                rest = rest.dropFirst(2)
            case let escaped? where "\\'\"".utf8.contains(escaped): result.append(escaped)
            default: return nil
            }
        }
        return result
    }
}

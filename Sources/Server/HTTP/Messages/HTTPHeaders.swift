/// Header fields in the order they were added. Names compare without regard to ASCII case; a name may repeat.
///
/// Whatever goes in is safe to send: control characters in a value (CR and LF among them) become spaces, and a field
/// whose name is not an RFC 9110 token is left out, so text from a caller can never add a field or end the header.
public struct HTTPHeaders: Sendable, Hashable, Sequence, ExpressibleByDictionaryLiteral {
    /// One field. Its name keeps the case it was given.
    public struct Field: Sendable, Hashable {
        public let name: String
        public let value: String
    }

    private var fields: [Field] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements)
    }

    init(_ elements: [(name: String, value: String)]) {
        for (name, value) in elements { add(name, value) }
    }

    public var count: Int { fields.count }

    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    /// The first value of `name`. Setting replaces every field of that name; `nil` removes them.
    public subscript(name: String) -> String? {
        get { fields.first { Self.same($0.name, name) }?.value }
        set {
            fields.removeAll { Self.same($0.name, name) }
            if let newValue { add(name, newValue) }
        }
    }

    /// All values of `name`, in order.
    public func values(_ name: String) -> [String] {
        fields.filter { Self.same($0.name, name) }.map(\.value)
    }

    /// Adds a field after those already there.
    public mutating func add(_ name: String, _ value: String) {
        guard Self.isToken(name) else { return }
        fields.append(Field(name: name, value: Self.sanitized(value)))
    }

    /// Whether `name` is a token of RFC 9110, section 5.6.2.
    static func isToken(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { tokenBytes.contains($0) }
    }

    private static let tokenBytes = Set(
        "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    private static func sanitized(_ value: String) -> String {
        guard value.utf8.contains(where: isControl) else { return value }
        return String(decoding: value.utf8.map { isControl($0) ? 0x20 : $0 }, as: UTF8.self)
    }

    private static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).allSatisfy { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

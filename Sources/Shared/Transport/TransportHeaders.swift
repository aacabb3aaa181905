/// The header fields of an answer, in the order in which they came. Names are looked up in any case.
public struct TransportHeaders: Sendable, Sequence {
    private var fields: [(name: String, value: String)]

    public init(_ fields: [(String, String)] = []) {
        self.fields = fields.map { (name: $0.0, value: $0.1) }
    }

    /// The value of the first field called `name`.
    public subscript(name: String) -> String? {
        all(name).first
    }

    /// The values of all fields called `name`.
    public func all(_ name: String) -> [String] {
        let wanted = name.lowercased()
        return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
    }

    public func makeIterator() -> IndexingIterator<[(name: String, value: String)]> {
        fields.makeIterator()
    }

    mutating func append(name: String, value: String) {
        fields.append((name: name, value: value))
    }

    /// Continues the last field's value, as old servers do with a line that starts with white space.
    mutating func continueLast(_ text: String) {
        guard let last = fields.indices.last else { return }
        fields[last].value += " " + text
    }
}

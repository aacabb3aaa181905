/// The header fields of an answer, in the order in which they arrived. Names are compared without case.
package struct TransportHeaders: Sendable, Sequence {
    private var fields: [(name: String, value: String)]

    package init(_ fields: [(String, String)] = []) {
        self.fields = fields.map { (name: $0.0, value: $0.1) }
    }

    /// The value of the first field called `name`.
    package subscript(name: String) -> String? {
        all(name).first
    }

    /// The values of all fields called `name`.
    package func all(_ name: String) -> [String] {
        let wanted = name.lowercased()
        return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
    }

    package func makeIterator() -> IndexingIterator<[(name: String, value: String)]> {
        fields.makeIterator()
    }

    mutating func append(name: String, value: String) {
        fields.append((name: name, value: value))
    }

    /// Continues the last field's value: old servers send lines that begin with white space.
    mutating func continueLast(_ text: String) {
        guard let last = fields.indices.last else { return }
        fields[last].value += " " + text
    }
}

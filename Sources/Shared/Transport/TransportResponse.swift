/// Status and header fields of an answer, known before its body.
package struct TransportResponseHead: Sendable {
    /// The HTTP status, 200 or above: interim answers (1xx) are not shown.
    package var status: Int
    package var headers: TransportHeaders

    package init(status: Int, headers: TransportHeaders = TransportHeaders()) {
        self.status = status
        self.headers = headers
    }
}

/// A complete answer. HTTP errors such as 404 are answers too.
package struct TransportResponse: Sendable {
    package var status: Int
    package var headers: TransportHeaders
    /// The body as sent (content codings are not undone); empty when it was streamed to `onBody`.
    package var body: [UInt8]

    package init(status: Int, headers: TransportHeaders = TransportHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

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

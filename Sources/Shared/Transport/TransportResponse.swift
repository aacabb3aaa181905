/// Status and header fields of an answer, known before its body.
public struct TransportResponseHead: Sendable {
    /// The HTTP status, 200 or above: interim answers (1xx) are not shown.
    public var status: Int
    public var headers: TransportHeaders

    public init(status: Int, headers: TransportHeaders = TransportHeaders()) {
        self.status = status
        self.headers = headers
    }
}

/// A complete answer. HTTP errors such as 404 are answers too.
public struct TransportResponse: Sendable {
    public var status: Int
    public var headers: TransportHeaders
    /// The body as sent (content codings are not undone); empty when it was streamed to `onBody`.
    public var body: [UInt8]

    public init(status: Int, headers: TransportHeaders = TransportHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

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

/// The items of a query string in order, decoded once, with `+` read as a space. A name may repeat.
public struct QueryItems: Sendable, Hashable, Sequence {
    /// One `name=value`; the value is empty where there was no `=`.
    public struct Item: Sendable, Hashable {
        public let name: String
        public let value: String
    }

    private let items: [Item]

    /// `query` is the text after `?`, visible ASCII. `nil` where an escape is malformed, hides a NUL, or is not UTF-8.
    init?(_ query: PercentEncoding.Text) {
        var items: [Item] = []
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            guard let name = PercentEncoding.decode(pair[..<(equals ?? pair.endIndex)], plusIsSpace: true),
                let value = PercentEncoding.decode(
                    equals.map { pair[($0 + 1)...] } ?? pair[pair.endIndex...], plusIsSpace: true)
            else { return nil }
            items.append(Item(name: name, value: value))
        }
        self.items = items
    }

    public func makeIterator() -> IndexingIterator<[Item]> { items.makeIterator() }

    /// The first value of `name` (names are case-sensitive).
    public func first(_ name: String) -> String? { items.first { $0.name == name }?.value }
}

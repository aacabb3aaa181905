/// The items of a query string in order, decoded once, with `+` read as a space. A name may repeat.
package struct QueryItems: Sendable, Hashable, Sequence {
    /// One `name=value`; without `=` the value is empty.
    package struct Item: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    private let items: [Item]

    /// `query` is the text after `?`, visible ASCII. `nil` if an escape is malformed, contains a NUL, or is not UTF-8.
    init?(_ query: PercentDecoding.Text) {
        var items: [Item] = []
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            guard let name = PercentDecoding.decode(pair[..<(equals ?? pair.endIndex)], plusIsSpace: true),
                let value = PercentDecoding.decode(
                    equals.map { pair[($0 + 1)...] } ?? pair[pair.endIndex...], plusIsSpace: true)
            else { return nil }
            items.append(Item(name: name, value: value))
        }
        self.items = items
    }

    package func makeIterator() -> IndexingIterator<[Item]> { items.makeIterator() }

    /// The first value of `name` (names are case-sensitive).
    package func first(_ name: String) -> String? { items.first { $0.name == name }?.value }
}

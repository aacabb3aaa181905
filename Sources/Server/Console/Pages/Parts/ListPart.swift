/// A part of a long list, from the place that the query's field `from` names.
struct ListPart<Item> {
    let items: [Item]
    /// The place of the first item, from 0.
    let first: Int
    /// Where the part before begins; nil for the first part.
    let before: Int?
    /// Where the next part begins; nil for the last part.
    let next: Int?

    /// - Parameter size: the most items of a part, above 0.
    init(of all: [Item], size: Int, _ fields: FormFields) {
        // Anything can stand in an address.
        first = min(max(0, Int(fields["from"]) ?? 0), max(0, all.count - 1))
        items = Array(all.dropFirst(first).prefix(size))
        before = first > 0 ? max(0, first - size) : nil
        next = all.count - first > size ? first + size : nil
    }
}

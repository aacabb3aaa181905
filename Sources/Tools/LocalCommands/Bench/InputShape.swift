/// A shape for one input, as `--shape` gives it: `NAME_OR_INDEX=1x224x224x3`.
struct InputShape: Equatable, Sendable {
    /// The input's name, or its place counted from 0.
    let input: String
    let dimensions: [Int]

    /// Nil when `text` is something else. The last `=` counts: names may have some of their own.
    init?(_ text: String) {
        guard let sign = text.lastIndex(of: "="), sign != text.startIndex else { return nil }
        input = String(text[..<sign])
        let parts = text[text.index(after: sign)...].split(separator: "x", omittingEmptySubsequences: false)
        dimensions = parts.compactMap { Int32($0).flatMap { $0 > 0 ? Int($0) : nil } }
        guard dimensions.count == parts.count else { return nil }
    }

    /// The place of the input among `names`. A name goes before a place.
    func place(among names: [String]) throws(CommandFailure) -> Int {
        if let place = names.firstIndex(of: input) { return place }
        if let place = Int(input), names.indices.contains(place) { return place }
        let known = names.enumerated().map { "\($0.offset) '\($0.element)'" }.joined(separator: ", ")
        throw CommandFailure("The model has no input '\(input)'. Its inputs are: \(known.isEmpty ? "none" : known).")
    }
}

import Foundation

/// What a round left as it was, because it would have been too much at once.
public struct HeldBack: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        case uploads = "uploads that no version uses"
        case sessions = "resumable uploads that nobody goes on with"
        case strays = "parts of uploads without a record"
        case files = "model files that no record names"
        case asides = "files that were set aside"
    }

    struct Count: Sendable, Hashable {
        var count: Int
        var total: Int
    }

    var counts: [Kind: Count] = [:]

    public init() {}

    /// From a text as `text` has it; what cannot be read counts for nothing.
    public init(text: String) {
        for part in text.components(separatedBy: ", ") {
            let words = part.split(separator: " ", maxSplits: 3)
            guard words.count == 4, words[1] == "of", let count = Int(words[0]), let total = Int(words[2]),
                let kind = Kind(rawValue: String(words[3]))
            else { continue }
            counts[kind] = Count(count: count, total: total)
        }
    }

    /// The number that an operator confirms; 0 when nothing was left.
    public var count: Int { counts.values.reduce(0) { $0 + $1.count } }

    /// What it is, such as `34 of 40 model files that no record names`.
    public var text: String {
        Kind.allCases.compactMap { kind in
            counts[kind].map { "\($0.count) of \($0.total) \(kind.rawValue)" }
        }.joined(separator: ", ")
    }
}

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

    /// The number that an operator confirms; 0 when nothing was left.
    public var count: Int { counts.values.reduce(0) { $0 + $1.count } }

    /// What it is, such as `34 of 40 model files that no record names`.
    public var text: String {
        Kind.allCases.compactMap { kind in
            counts[kind].map { "\($0.count) of \($0.total) \(kind.rawValue)" }
        }.joined(separator: ", ")
    }
}

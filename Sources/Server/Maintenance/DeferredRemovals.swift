import Foundation

/// The removals that a round deferred because they were too many at once.
package struct DeferredRemovals: Sendable, Hashable {
    /// What is removed. The raw values are stored in the files of `RemovalConfirmation`, so they never change.
    package enum Kind: String, Sendable, CaseIterable {
        case uploads = "uploads that no version uses"
        case sessions = "resumable uploads that nobody goes on with"
        case strays = "parts of uploads without a record"
        case files = "model files that no record names"
        case trash = "files that were set aside"

        /// The words for operators.
        var text: String {
            switch self {
            case .uploads: "uploads that no version uses"
            case .sessions: "expired uploads in parts"
            case .strays: "parts of uploads without a record"
            case .files: "model files that no record names"
            case .trash: "files in the trash"
            }
        }
    }

    /// How many of how many things a round deferred.
    struct Count: Sendable, Hashable {
        var count: Int
        var total: Int
    }

    var counts: [Kind: Count] = [:]

    package init() {}

    /// Parses a text in the form of `stored`; parts that cannot be parsed are ignored.
    package init(stored text: String) {
        for part in text.components(separatedBy: ", ") {
            let words = part.split(separator: " ", maxSplits: 3)
            guard words.count == 4, words[1] == "of", let count = Int(words[0]), let total = Int(words[2]),
                let kind = Kind(rawValue: String(words[3]))
            else { continue }
            counts[kind] = Count(count: count, total: total)
        }
    }

    /// The number that an operator confirms; 0 if nothing was deferred.
    package var count: Int { counts.values.reduce(0) { $0 + $1.count } }

    /// A description for operators, such as `34 of 40 model files that no record names`.
    package var text: String { list(\.text) }

    /// The description in the files of `RemovalConfirmation`.
    package var stored: String { list(\.rawValue) }

    private func list(_ words: (Kind) -> String) -> String {
        Kind.allCases.compactMap { kind in
            counts[kind].map { "\($0.count) of \($0.total) \(words(kind))" }
        }.joined(separator: ", ")
    }
}

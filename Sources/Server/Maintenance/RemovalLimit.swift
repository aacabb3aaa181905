import Foundation

/// How much one round may remove without an operator's confirmation. With a lost or wrong database, or a clock that
/// jumped, nearly all seems unneeded; then nothing is removed.
package struct RemovalLimit: Sendable {
    /// One round may remove this many, however few there are in all.
    package static let freeCount = 20
    /// One round may remove one in this many of all.
    package static let shareDivisor = 4

    /// What an operator confirmed; empty without a confirmation.
    private let confirmed: DeferredRemovals
    /// What waits for an operator's confirmation.
    package private(set) var deferred = DeferredRemovals()

    package init(confirmed: DeferredRemovals) { self.confirmed = confirmed }

    /// Whether `count` of `total` things may be removed. If not, they count as deferred.
    package mutating func allows(_ count: Int, of total: Int, _ kind: DeferredRemovals.Kind) -> Bool {
        let isFew = count <= Self.freeCount || count <= total / Self.shareDivisor
        guard !isFew, count > confirmed.counts[kind]?.count ?? 0 else { return true }
        deferred.counts[kind] = DeferredRemovals.Count(count: count, total: total)
        return false
    }
}

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

/// How maintenance and an operator communicate, with a running server and with a stopped one.
package struct RemovalConfirmation: Sendable {
    /// What maintenance would remove, and has deferred.
    package struct Waiting: Sendable, Equatable {
        package let count: Int
        /// The number of each kind, as it is stored.
        package let stored: String

        package init(count: Int, stored: String) {
            self.count = count
            self.stored = stored
        }

        init?(text: String) {
            let lines = text.split(separator: "\n", maxSplits: 1)
            guard let first = lines.first, let count = Int(first) else { return nil }
            self.init(count: count, stored: lines.dropFirst().joined().trimmingCharacters(in: .newlines))
        }

        /// A description for operators. A text that cannot be parsed is shown as it is stored.
        package var text: String {
            let deferred = DeferredRemovals(stored: stored)
            return deferred.count == count ? deferred.text : stored
        }

        var lines: String { "\(count)\n\(stored)\n" }
    }

    private let notes: any RemovalNotes

    package init(_ notes: any RemovalNotes) { self.notes = notes }

    /// What maintenance deferred in its last round; nil if nothing.
    package func read() throws -> Waiting? { try notes.deferred().flatMap { Waiting(text: $0) } }

    /// Allows the next round to remove that: as many of each kind as the text says.
    package func confirm(_ waiting: Waiting) throws { try notes.allow(waiting.lines) }

    /// What an operator confirmed. It is used up by this call: a confirmation during a round counts for the next one.
    func take() throws -> DeferredRemovals {
        let waiting = try notes.takeAllowed().flatMap { Waiting(text: $0) }
        return waiting.map { DeferredRemovals(stored: $0.stored) } ?? DeferredRemovals()
    }

    /// Ends a round: records what waits for a confirmation.
    func finish(_ deferred: DeferredRemovals) throws {
        let waiting = Waiting(count: deferred.count, stored: deferred.stored)
        try notes.setDeferred(waiting.count > 0 ? waiting.lines : nil)
    }
}

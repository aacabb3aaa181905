import Foundation
package import HearthFiles

/// How much may go in one round without an operator's word. A lost or mistaken database, and a clock that jumped, make nearly all
/// look as if nobody needed it: then nothing goes.
package struct RemovalLimit: Sendable {
    /// As many may go in one round, however few there are in all.
    package static let freeCount = 20
    /// One part in so many may go in one round.
    package static let shareDivisor = 4

    /// What an operator allowed to go; empty without a word.
    private let confirmed: DeferredRemovals
    /// How much waits for an operator's word.
    package private(set) var deferred = DeferredRemovals()

    package init(confirmed: DeferredRemovals) { self.confirmed = confirmed }

    /// Whether `count` of `total` things may go. If not, they are counted as held back.
    package mutating func allows(_ count: Int, of total: Int, _ kind: DeferredRemovals.Kind) -> Bool {
        let isFew = count <= Self.freeCount || count <= total / Self.shareDivisor
        guard !isFew, count > confirmed.counts[kind]?.count ?? 0 else { return true }
        deferred.counts[kind] = DeferredRemovals.Count(count: count, total: total)
        return false
    }
}

/// What a round left as it was, because it would have been too much at once.
package struct DeferredRemovals: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
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

    package init() {}

    /// From a text as `text` has it; what cannot be read counts for nothing.
    package init(text: String) {
        for part in text.components(separatedBy: ", ") {
            let words = part.split(separator: " ", maxSplits: 3)
            guard words.count == 4, words[1] == "of", let count = Int(words[0]), let total = Int(words[2]),
                let kind = Kind(rawValue: String(words[3]))
            else { continue }
            counts[kind] = Count(count: count, total: total)
        }
    }

    /// The number that an operator confirms; 0 when nothing was left.
    package var count: Int { counts.values.reduce(0) { $0 + $1.count } }

    /// What it is, such as `34 of 40 model files that no record names`.
    package var text: String {
        Kind.allCases.compactMap { kind in
            counts[kind].map { "\($0.count) of \($0.total) \(kind.rawValue)" }
        }.joined(separator: ", ")
    }
}

/// What maintenance and an operator tell each other: two small files of the data folder, so that it works on a running server and on
/// one that is stopped.
package struct RemovalConfirmation: Sendable {
    /// What maintenance would remove and waits with.
    package struct Waiting: Sendable, Equatable {
        package let count: Int
        /// In words, with the number of each kind.
        package let text: String

        package init(count: Int, text: String) {
            self.count = count
            self.text = text
        }

        var bytes: [UInt8] { Array("\(count)\n\(text)\n".utf8) }
    }

    private let waiting: String
    private let confirmed: String

    /// - Parameters:
    ///   - waiting: path of the file in which maintenance says how much waits.
    ///   - confirmed: path of the file in which an operator says how much may go.
    package init(waiting: String, confirmed: String) {
        self.waiting = waiting
        self.confirmed = confirmed
    }

    /// What waits, as maintenance said it last; nil when nothing does.
    package func read() throws(FileError) -> Waiting? {
        guard let (first, rest) = try lines(waiting), let count = Int(first) else { return nil }
        return Waiting(count: count, text: rest)
    }

    /// Allows that to go in the next round: as many of each kind as it names.
    package func confirm(_ waiting: Waiting) throws(FileError) {
        try AtomicFile.write(waiting.bytes, to: confirmed)
    }

    /// What an operator allowed, which is used up then: a word that comes during a round is for the next one.
    func take() throws(FileError) -> DeferredRemovals {
        guard PathKind(confirmed) == .file else { return DeferredRemovals() }
        // Under another name first: the word that is read is the one that goes, also when an operator gives another one now.
        let taken = confirmed + Self.takenEnding
        try DiskFiles().rename(confirmed, to: taken)
        let word = try lines(taken)
        try DiskFiles().remove(taken)
        return word.map { DeferredRemovals(text: $0.rest) } ?? DeferredRemovals()
    }

    private static let takenEnding = "-now"

    /// Ends a round: says what waits for a word.
    func finish(_ deferred: DeferredRemovals) throws(FileError) {
        if deferred.count > 0 {
            try AtomicFile.write(Waiting(count: deferred.count, text: deferred.text).bytes, to: waiting)
        } else if PathKind(waiting) == .file {
            try DiskFiles().remove(waiting)
        }
    }

    private func lines(_ path: String) throws(FileError) -> (first: String, rest: String)? {
        guard PathKind(path) == .file else { return nil }
        let text = String(decoding: try DiskFiles().read(path, limitBytes: 65_536), as: UTF8.self)
        let lines = text.split(separator: "\n", maxSplits: 1)
        guard let first = lines.first else { return nil }
        return (String(first), lines.dropFirst().joined().trimmingCharacters(in: .newlines))
    }
}

import Foundation
public import HearthFiles

/// What upkeep and an operator tell each other: two small files of the data folder, so that it works on a running server and on
/// one that is stopped.
public struct OperatorWord: Sendable {
    /// What upkeep would remove and waits with.
    public struct Waiting: Sendable, Equatable {
        public let count: Int
        /// In words, with the number of each kind.
        public let text: String

        public init(count: Int, text: String) {
            self.count = count
            self.text = text
        }

        var bytes: [UInt8] { Array("\(count)\n\(text)\n".utf8) }
    }

    private let waiting: String
    private let confirmed: String

    /// - Parameters:
    ///   - waiting: path of the file in which upkeep says how much waits.
    ///   - confirmed: path of the file in which an operator says how much may go.
    public init(waiting: String, confirmed: String) {
        self.waiting = waiting
        self.confirmed = confirmed
    }

    /// What waits, as upkeep said it last; nil when nothing does.
    public func read() throws(FileError) -> Waiting? {
        guard let (first, rest) = try lines(waiting), let count = Int(first) else { return nil }
        return Waiting(count: count, text: rest)
    }

    /// Allows that to go in the next round: as many of each kind as it names.
    public func confirm(_ waiting: Waiting) throws(FileError) {
        try AtomicFile.write(waiting.bytes, to: confirmed)
    }

    /// What an operator allowed, which is used up then: a word that comes during a round is for the next one.
    func take() throws(FileError) -> HeldBack {
        guard PathKind(confirmed) == .file else { return HeldBack() }
        // Under another name first: the word that is read is the one that goes, also when an operator gives another one now.
        let taken = confirmed + Self.takenEnding
        try DiskFiles().rename(confirmed, to: taken)
        let word = try lines(taken)
        try DiskFiles().remove(taken)
        return word.map { HeldBack(text: $0.rest) } ?? HeldBack()
    }

    private static let takenEnding = "-now"

    /// Ends a round: says what waits for a word.
    func finish(_ heldBack: HeldBack) throws(FileError) {
        if heldBack.count > 0 {
            try AtomicFile.write(Waiting(count: heldBack.count, text: heldBack.text).bytes, to: waiting)
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

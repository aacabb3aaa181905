import Foundation
public import HearthFiles

/// What upkeep and an operator tell each other: two small files of the data folder, so that it works on a running server and on
/// one that is stopped.
public struct OperatorWord: Sendable {
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
    public func read() throws(FileError) -> (count: Int, text: String)? {
        guard let (first, rest) = try lines(waiting), let count = Int(first) else { return nil }
        return (count, rest)
    }

    /// Allows so many to go in the next round.
    public func confirm(_ count: Int) throws(FileError) {
        try AtomicFile.write(Array("\(count)\n".utf8), to: confirmed)
    }

    /// How many may go in this round.
    func confirmedCount() throws(FileError) -> Int {
        try lines(confirmed).flatMap { Int($0.first) } ?? 0
    }

    /// Ends a round: what was allowed was allowed for this one only.
    func finish(_ heldBack: HeldBack) throws(FileError) {
        if PathKind(confirmed) == .file { try DiskFiles().remove(confirmed) }
        if heldBack.count > 0 {
            try AtomicFile.write(Array("\(heldBack.count)\n\(heldBack.text)\n".utf8), to: waiting)
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

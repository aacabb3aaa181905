import Foundation

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

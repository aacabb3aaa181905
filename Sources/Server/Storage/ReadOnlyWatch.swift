import Foundation
import HearthConcurrency
import HearthWire

/// Knows whether the records are read-only without asking the database each time.
package final class ReadOnlyWatch: Sendable {
    private struct State {
        var reason: String?
        var asked: ContinuousClock.Instant?
    }

    private let state = Lock(State())
    private static let validity: Duration = .seconds(1)

    package init() {}

    /// What was read last, without a question.
    package var lastReason: String? { state.withLock { $0.reason } }

    /// - Parameter ask: reads the mark. While the database cannot be read, the last answer counts.
    package func reason(_ ask: () throws -> String?) -> String? {
        let now = ContinuousClock.now
        let known = state.withLock { state -> (reason: String?, isFresh: Bool) in
            if let asked = state.asked, now - asked < Self.validity { return (state.reason, true) }
            // Others need not ask at the same time.
            state.asked = now
            return (state.reason, false)
        }
        if known.isFresh { return known.reason }
        do {
            let answer = try ask()
            state.withLock { $0.reason = answer }
            return answer
        } catch {
            return known.reason
        }
    }
}

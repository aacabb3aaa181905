import Foundation
import HearthConcurrency
import HearthCrypto
package import HearthWire

/// What is said about all records of a database, in the database itself, so that every server over it knows.
package enum DataMark: String, Sendable, CaseIterable {
    /// They must not be changed for a while. Devices are answered.
    case readOnly = "read-only"
    /// They are not complete: a copy is being made. No server may start.
    case incomplete
    /// Of what an incomplete copy is made.
    case copy
    /// When a backup of records that servers share was last complete.
    case lastBackup = "last-backup"
    /// The removals that maintenance has deferred, and those that an operator has allowed, where servers share the records.
    case deferredRemovals = "deferred-removals"
    case allowedRemovals = "allowed-removals"
}

/// Since when records must not be changed, and why.
package struct ReadOnlyMark: Codable, Sendable, Equatable {
    /// Distinguishes this time from others: in between, the records may have changed.
    package var id: String
    /// RFC 3339.
    package var since: String
    package var reason: String

    package init(reason: String, now: Timestamp) {
        id = Hex.encode(SecureRandom.bytes(8))
        since = now.rfc3339(fractionDigits: 0)
        self.reason = reason
    }

    /// - Parameter text: as the database has it. A text that is no mark still forbids changes.
    package init(_ text: String) {
        let known = try? JSONDecoder().decode(Self.self, from: Data(text.utf8))
        self = known ?? ReadOnlyMark(id: text, since: "", reason: "")
    }

    private init(id: String, since: String, reason: String) {
        (self.id, self.since, self.reason) = (id, since, reason)
    }

    /// As the database has it.
    package var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? id
    }

    /// In one line, for people.
    package var summary: String {
        let time = since.isEmpty ? "" : " since \(since)"
        return "The server is read-only\(time)\(reason.isEmpty ? "" : " (\(reason))")"
    }

    /// What a change is answered with.
    ///
    /// - Parameter text: as the database has it.
    package static func refusal(_ text: String) -> StorageError {
        StorageError(
            .readOnly, "\(ReadOnlyMark(text).summary). It answers devices, and changes nothing; try again later.")
    }
}

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

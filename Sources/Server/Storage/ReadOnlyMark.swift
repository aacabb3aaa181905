import Foundation
import HearthConcurrency
import HearthCrypto
package import HearthWire

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

import Foundation
import HearthRouting

/// An answer of the API without what readers with a shared link must not learn: who did something, and the ids of
/// installations. With such an id, and the key in every copy of the app, somebody can register as that installation.
///
/// All that a shared page shows comes through here, so no page has to think of it.
enum GuestAnswer {
    private static let people: Set = ["createdBy", "movedBy", "actor", "actorName"]

    /// - Parameter bytes: JSON.
    static func redacted(_ bytes: [UInt8]) throws -> [UInt8] {
        let value = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        return Array(try JSONSerialization.data(withJSONObject: redacted(value), options: .fragmentsAllowed))
    }

    private static func redacted(_ value: Any) -> Any {
        switch value {
        case let text as String: InstallationLogName.redacted(condition: text)
        case let list as [Any]: list.map(redacted)
        case let object as [String: Any]:
            Dictionary(
                uniqueKeysWithValues: object.map { name, value in
                    // Not left out: bodies need the field.
                    (
                        name,
                        people.contains(name) && value is String
                            ? "" : redacted(name == "endReason" ? unnamed(value) : value)
                    )
                })
        default: value
        }
    }

    /// Why an experiment ended, without the person who ended it.
    private static func unnamed(_ reason: Any) -> Any {
        guard let text = reason as? String else { return reason }
        return text.replacing(/(stopped|rolled out) by [^;]+/) { $0.1 }
    }
}

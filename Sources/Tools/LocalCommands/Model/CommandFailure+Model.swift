import Foundation

extension CommandFailure {
    /// A model that cannot be used, by the name under which the user knows it.
    static func model(_ path: String, _ name: String, _ error: any Error) -> CommandFailure {
        var reason = (error as NSError).localizedDescription
        var isNamed = false
        // Only where the text quotes a path: a short one may be a word of the text as well.
        for end in ["'", "/"] {
            reason = reason.replacingOccurrences(of: "'\(path)\(end)", with: "'\(name)\(end)")
            isNamed = isNamed || reason.contains("'\(name)\(end)")
        }
        return CommandFailure(isNamed ? reason : "\(name): \(reason)")
    }
}

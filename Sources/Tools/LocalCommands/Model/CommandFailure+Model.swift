import Foundation

extension CommandFailure {
    /// A model that cannot be used, by the name under which the user knows it.
    static func model(_ path: String, _ name: String, _ error: any Error) -> CommandFailure {
        let reason = (error as NSError).localizedDescription.replacingOccurrences(of: path, with: name)
        return CommandFailure(reason.contains(name) ? reason : "\(name): \(reason)")
    }
}

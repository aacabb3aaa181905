import Foundation

/// A command's failure as one line: what is wrong and what to do.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// The line of any error: `NSError`s keep theirs in `localizedDescription`.
    static func text(_ error: any Error) -> String {
        if let failure = error as? any CustomStringConvertible & Error, !(error is NSError) {
            return failure.description
        }
        return (error as NSError).localizedDescription
    }
}

import Foundation

/// The one-line text of any error.
package enum ErrorText {
    package static func describe(_ error: any Error) -> String {
        text(of: error).singleLine
    }

    private static func text(of error: any Error) -> String {
        if let text = (error as? any LocalizedError)?.errorDescription {
            return text
        }
        // Foundation's own errors describe themselves with domain and code; their localized text is for people.
        if error is any CustomNSError || type(of: error) is NSError.Type {
            return error.localizedDescription
        }
        return String(describing: error)
    }
}

package import Foundation

/// The shape of most errors here: a code, for callers that branch on it, and one line of text for people.
///
/// A concrete error lists its codes and makes its texts. It may have more, such as the error that caused it.
package protocol DescribedError: LocalizedError, CustomStringConvertible, Sendable {
    associatedtype Code: Hashable, Sendable

    /// The kind of failure.
    var code: Code { get }
    /// What is wrong and what to do, on one line.
    var message: String { get }
}

/// Members by which an error conforms to protocols of Swift and Foundation. The errors that apps see have their own, because these
/// are not public.
extension DescribedError {
    package var description: String { message }
    package var errorDescription: String? { message }
    // Foundation has these defaults, too, but only for files that import it.
    package var failureReason: String? { nil }
    package var recoverySuggestion: String? { nil }
    package var helpAnchor: String? { nil }

    /// For errors that are `Equatable`: whether code and text are the same. Causes are not compared.
    package static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.message == right.message
    }

    /// For errors that are `Hashable`: hashes what `==` compares.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}

import Foundation

/// The domain of every error that this module throws or hands to a callback; all are `NSError`s, so that existing
/// `catch let error as NSError` works on Linux too. The original library never published its own domain.
public let MachineLearningErrorDomain = "HearthMachineLearningErrorDomain"

/// The codes of ``MachineLearningErrorDomain``, in the canonical numbering. Open for new ones.
public struct MachineLearningErrorDomainCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The model ran into an error, or gave no output.
    public static let unknown = Self(rawValue: 2)
    /// Inputs, options and model do not fit together.
    public static let invalidArgument = Self(rawValue: 3)
    /// There is no model: no file at the path, or a remote model that is not on this device yet.
    public static let notFound = Self(rawValue: 5)
    /// There is a file, but it is not a model that can be run.
    public static let failedPrecondition = Self(rawValue: 9)
    /// The options name an input or output that the model does not have.
    public static let outOfRange = Self(rawValue: 11)
    /// An input tensor of the model cannot be prepared.
    public static let `internal` = Self(rawValue: 13)
}

enum MachineLearningError {
    /// - Parameter message: One line that says what is wrong; the error's `localizedDescription`.
    static func make(
        _ code: MachineLearningErrorDomainCode, _ message: String, underlying: (any Error)? = nil
    ) -> NSError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        if let underlying { info[NSUnderlyingErrorKey] = underlying }
        return NSError(domain: MachineLearningErrorDomain, code: code.rawValue, userInfo: info)
    }

    /// What is thrown inside as what callers get. Only errors that nobody foresaw are not ours by now.
    static func wrap(_ error: any Error) -> NSError {
        let bridged = error as NSError
        return bridged.domain == MachineLearningErrorDomain
            ? bridged : make(.internal, "\(error)", underlying: error)
    }
}

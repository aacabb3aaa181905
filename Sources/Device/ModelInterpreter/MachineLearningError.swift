import Foundation

/// The domain of every error that this module throws or passes to a callback. All are `NSError`s, so that existing code
/// with `catch let error as NSError` also works on Linux. The original library never published its own domain.
public let MachineLearningErrorDomain = "HearthMachineLearningErrorDomain"

/// The codes of ``MachineLearningErrorDomain``, with Google's canonical numbers. New codes may be added.
public struct MachineLearningErrorDomainCode: RawRepresentable, Hashable, Sendable {
    /// The number of the code.
    public let rawValue: Int

    /// Creates a code from its number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The run failed, or the model returned no output.
    public static let unknown = Self(rawValue: 2)
    /// Inputs, options and model do not match.
    public static let invalidArgument = Self(rawValue: 3)
    /// There is no model: no file at the path, or a remote model that is not on this device yet.
    public static let notFound = Self(rawValue: 5)
    /// There is a file, but not a model that can run.
    public static let failedPrecondition = Self(rawValue: 9)
    /// The options name an input or output that the model lacks.
    public static let outOfRange = Self(rawValue: 11)
    /// An input tensor of the model cannot be prepared.
    public static let `internal` = Self(rawValue: 13)
}

enum MachineLearningError {
    /// - Parameter message: One line that says what is wrong, used as the error's `localizedDescription`.
    static func make(
        _ code: MachineLearningErrorDomainCode, _ message: String, underlying: (any Error)? = nil
    ) -> NSError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        if let underlying { info[NSUnderlyingErrorKey] = underlying }
        return NSError(domain: MachineLearningErrorDomain, code: code.rawValue, userInfo: info)
    }

    /// Whether an error comes from the engine, and not from what the app passed.
    static func isOfEngine(_ error: any Error) -> Bool {
        (error as NSError).userInfo[NSUnderlyingErrorKey] != nil
    }

    /// Converts an internal error into one for the app. At this point, only unexpected errors are from another domain.
    static func wrap(_ error: any Error) -> NSError {
        let bridged = error as NSError
        return bridged.domain == MachineLearningErrorDomain
            ? bridged : make(.internal, "\(error)", underlying: error)
    }
}

package import Foundation
import HearthImaging
import HearthModelFile
import TensorFlowLite

/// The errors of labelers and detectors: `NSError`s in the domain `com.google.mlkit`, as apps written for ML Kit
/// expect. Their `localizedDescription` is one line that says what is wrong.
enum VisionError {
    static let domain = "com.google.mlkit"

    /// The numbers are those of Google's canonical error codes.
    enum Code: Int {
        case invalidArgument = 3
        case notFound = 5
        case failedPrecondition = 9
        case `internal` = 13
    }

    static let missingKey = "HearthMissingProcessing"

    /// - Parameter missing: What a caller may state, so that the error does not come again.
    static func make(
        _ code: Code, _ message: String, missing: MissingProcessing? = nil, underlying: (any Error)? = nil
    ) -> NSError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        if let missing { info[missingKey] = missing.rawValue }
        if let underlying { info[NSUnderlyingErrorKey] = underlying }
        return NSError(domain: domain, code: code.rawValue, userInfo: info)
    }

    /// Whether an error says that the engine refuses the model. Other errors of the engine may come from a lack of
    /// memory.
    static func isRefusal(_ cause: any Error) -> Bool {
        if case InterpreterError.tensorFlowLiteError = cause { true } else { false }
    }

    /// The one place where another module's error becomes an error of this module.
    static func wrap(_ error: any Error) -> NSError {
        switch error {
        case let error as ModelFileError where error.code == .notFound:
            make(.notFound, error.message, underlying: error)
        case let error as ModelFileError:
            make(.failedPrecondition, error.message, underlying: error)
        case let error as ImageError where error.code == .notFound:
            make(.notFound, error.message, underlying: error)
        case let error as ImageError:
            make(.invalidArgument, error.message, underlying: error)
        case let error as InterpreterError:
            make(.internal, error.description, underlying: error)
        case let error as NSError where error.domain == domain:
            error
        default:
            make(.internal, "\(error)", underlying: error)
        }
    }
}

/// What nothing says about a model, so that someone has to state it.
package enum MissingProcessing: String, Sendable {
    /// Which values an image has in the input.
    case normalization
    /// Which output holds what of the boxes.
    case layout
}

extension NSError {
    /// What to state, so that a labeler or detector does not report this error again; nil if stating something does not
    /// help.
    package var missingProcessing: MissingProcessing? {
        (userInfo[VisionError.missingKey] as? String).flatMap(MissingProcessing.init)
    }
}

import Foundation

/// The errors that ``ModelManager`` posts and passes to completions: `NSError`s, so that an existing `catch let error
/// as NSError` also works on Linux. The domain is ML Kit's; Firebase ML never published its own.
enum ModelManagerError {
    static let domain = "com.google.mlkit"

    /// The error codes, in the numbering of Google's canonical codes.
    enum Code: Int {
        case cancelled = 1
        case unknown = 2
        case invalidArgument = 3
        case notFound = 5
        case permissionDenied = 7
        case resourceExhausted = 8
        case failedPrecondition = 9
        case `internal` = 13
    }

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - message: One line that says what is wrong; the error's `localizedDescription`.
    ///   - cause: Its message becomes the failure reason.
    static func make(_ code: Code, _ message: String, cause: DownloadFailure? = nil) -> NSError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        if let cause {
            info[NSLocalizedFailureReasonErrorKey] = cause.message
            info[NSUnderlyingErrorKey] = cause
        }
        return NSError(domain: domain, code: code.rawValue, userInfo: info)
    }

    static func download(_ failure: DownloadFailure) -> NSError {
        make(code(failure), "Failed to download the model from the server. \(failure.message)", cause: failure)
    }

    static func deletion(of name: String, _ failure: DownloadFailure) -> NSError {
        make(code(failure), "Failed to delete the model '\(name)' from the device. \(failure.message)", cause: failure)
    }

    static func filePath(of name: String, _ failure: DownloadFailure) -> NSError {
        make(code(failure), "Failed to look for the model '\(name)' on the device. \(failure.message)", cause: failure)
    }

    static func notDownloaded(_ name: String) -> NSError {
        make(.notFound, "The model '\(name)' is not on this device. Download it first.")
    }

    /// A network failure has the code that the original uses for every failed download.
    private static func code(_ failure: DownloadFailure) -> Code {
        switch failure.code {
        case .cancelled: .cancelled
        case .invalidArgument: .invalidArgument
        case .notFound, .fileMissing: .notFound
        case .permissionDenied: .permissionDenied
        case .serverBusy, .tooLarge, .noSpace: .resourceExhausted
        case .notConfigured, .conditionsNotMet, .unusable, .newerStore: .failedPrecondition
        case .storeFailed, .storeRemoved, .notWritable: .internal
        default: .unknown
        }
    }
}

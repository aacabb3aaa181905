import Foundation

/// What ``ModelManager`` posts and hands to callbacks: an `NSError`, so that existing `catch let error as NSError` works on
/// Linux too. The domain is ML Kit's; Firebase ML never published one of its own.
enum ModelManagerError {
    static let domain = "com.google.mlkit"

    /// The canonical numbering.
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

    /// - Parameters:
    ///   - message: One line that says what is wrong; the error's `localizedDescription`.
    ///   - cause: Also told as the failure reason.
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

    /// An accident of the network keeps the code that the original gives every failed download.
    private static func code(_ failure: DownloadFailure) -> Code {
        switch failure.code {
        case .cancelled: .cancelled
        case .invalidArgument: .invalidArgument
        case .notFound: .notFound
        case .permissionDenied: .permissionDenied
        case .serverBusy, .tooLarge, .noSpace: .resourceExhausted
        case .notConfigured, .conditionsNotMet, .unusable, .newerStore: .failedPrecondition
        case .storeFailed, .storeRemoved, .notWritable: .internal
        default: .unknown
        }
    }
}

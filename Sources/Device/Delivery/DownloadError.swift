public import Foundation

/// Why a model could not be downloaded. The order of the cases is part of the API: it determines the `NSError` code.
/// ``ModelState`` has more detail: its ``DownloadFailure`` names the kind of failure.
public enum DownloadError: Error, Equatable, Sendable {
    /// There is no such model, it is not published, or the server has lost its file: ``DownloadFailure/code`` tells
    /// them apart.
    case notFound
    /// The server refused the API key, the installation's token or the link to the file.
    case permissionDenied
    /// The file was not downloaded: the transfer failed or took too long, or the download's conditions were not met.
    case failedPrecondition
    /// The server received too many requests; try again later.
    case resourceExhausted
    /// The disk is full, or the quota of the app's store does not hold the model.
    case notEnoughSpace
    /// The server did not understand the request, or refused the link to the file.
    case invalidArgument
    /// The model's name is empty.
    case emptyModelName
    /// Any other failure; the text describes it.
    case internalError(description: String)
}

extension DownloadError: LocalizedError {
    /// One line: what is wrong and, where that is known, what to do.
    public var errorDescription: String? {
        [failureReason, recoverySuggestion].compactMap(\.self).joined(separator: " ")
    }

    /// What is wrong.
    public var failureReason: String? {
        switch self {
        case .notFound: "The server has no published model of this name, or has lost the model's file."
        case .permissionDenied:
            "The server refused this app's API key, this installation's token, or the link to the model's file."
        case .failedPrecondition: "The model's file could not be downloaded."
        case .resourceExhausted: "The server received too many requests."
        case .notEnoughSpace: "There is not enough space for the model on this device."
        case .invalidArgument: "The server did not accept the request for the model, or the link to its file."
        case .emptyModelName: "The model's name is empty."
        case .internalError(let description): description
        }
    }

    /// What to do; nil when the reason says everything that is known.
    public var recoverySuggestion: String? {
        switch self {
        case .notFound: "Check the name, that a version of the model is published, and that the server has its file."
        case .permissionDenied:
            "Check the API key in the app's GoogleService-Info.plist, and the proxy, if there is one."
        case .failedPrecondition: "Check the connection and try again; the bytes that have arrived are kept."
        case .resourceExhausted: "Try again later."
        case .notEnoughSpace: "Free some space, or raise the quota of the app's store."
        case .invalidArgument: "Check the model's name and the app's project."
        case .emptyModelName: "Pass the name that it was published under."
        case .internalError: nil
        }
    }
}

/// Why a model on this device could not be listed or deleted. The order of the cases is part of the API.
public enum DownloadedModelError: Error, Sendable {
    /// There is no such model on this device.
    case notFound
    /// A file could not be read, written or deleted; the text says which and why.
    case fileIOError(description: String)
    /// Any other failure; the text describes it.
    case internalError(description: String)
}

extension DownloadedModelError: LocalizedError {
    /// One line: what is wrong.
    public var errorDescription: String? {
        switch self {
        case .notFound: "There is no model of this name on this device."
        case .fileIOError(let description), .internalError(let description): description
        }
    }
}

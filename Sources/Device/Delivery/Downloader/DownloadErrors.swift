/// Why a model could not be had. The order of the cases is part of the API: it shows as the `NSError` code.
public enum DownloadError: Error, Equatable, Sendable {
    /// There is no such model, or it is not published.
    case notFound
    /// The server refused the API key or the installation's token.
    case permissionDenied
    /// The connection failed while the file was fetched.
    case failedPrecondition
    /// Too many requests; try later.
    case resourceExhausted
    case notEnoughSpace
    case invalidArgument
    case emptyModelName
    case internalError(description: String)
}

/// Why a model on this device could not be listed or deleted. The order of the cases is part of the API.
public enum DownloadedModelError: Error, Sendable {
    case notFound
    case fileIOError(description: String)
    case internalError(description: String)
}

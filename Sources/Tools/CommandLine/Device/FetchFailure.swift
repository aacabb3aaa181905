import HearthApp
import HearthDelivery

/// A model that could not be fetched: one line for the user, and the reason for the code.
struct FetchFailure: Error, CustomStringConvertible {
    let error: DownloadError
    let modelName: String

    var description: String {
        switch error {
        case .notFound: "There is no published model '\(modelName)' on the server."
        case .permissionDenied: "The server refused this device: check the API key in the configuration."
        case .failedPrecondition: "The connection to the server failed while the model was fetched; try again."
        case .resourceExhausted: "The server is busy; try again later."
        case .notEnoughSpace: "There is not enough disk space for the model."
        case .invalidArgument: "The server did not understand the request for '\(modelName)'."
        case .emptyModelName: "The model's name is empty."
        case .internalError(let description): description
        }
    }

    /// Whether the server could not be reached, as opposed to an answer that says no.
    var isConnectionFailure: Bool {
        switch error {
        case .failedPrecondition: true
        // These two kinds have no case of their own: the set of cases is Google's.
        case .internalError(let description):
            description.hasPrefix("Failed to retrieve model info") || Self.isUnreachable(description)
        default: false
        }
    }

    /// Whether the text tells of an installation token that could not be had for want of a connection.
    private static func isUnreachable(_ description: String) -> Bool {
        let code = InstallationsErrorCode.Code.serverUnreachable.rawValue
        return description.hasPrefix("Error retrieving auth token")
            && description.contains("\(InstallationsErrorDomain) Code=\(code) ")
    }
}

import Foundation
import HearthApp
import HearthTransport

extension DownloadFailure {
    /// The one place where a missing installation token becomes a download's failure.
    /// - Parameter secrets: words that the server may have repeated, and that must not be.
    static func aboutToken(_ error: any Error, without secrets: [String] = []) -> DownloadFailure {
        let error = error as NSError
        let text = "Error retrieving auth token. \(line(error.localizedDescription, without: secrets))"
        switch error.userInfo[NSUnderlyingErrorKey] {
        case let cause as TransportError:
            let network = aboutInfo(cause)
            return DownloadFailure(network.code, internal: text, isTemporary: network.isTemporary)
        case let refusal as InstallationRefusal:
            return aboutRefusal(refusal, text)
        default:
            return DownloadFailure(.noToken, internal: text)
        }
    }

    private static func aboutRefusal(_ refusal: InstallationRefusal, _ text: String) -> DownloadFailure {
        switch refusal.status {
        case 429, 503:
            DownloadFailure(
                .serverBusy, internal: text, isTemporary: true, retryAfterSeconds: refusal.retryAfterSeconds)
        case 500...:
            DownloadFailure(
                .serverFailed, internal: text, isTemporary: true, retryAfterSeconds: refusal.retryAfterSeconds)
        case 400, 401, 403: DownloadFailure(.permissionDenied, internal: text)
        default: DownloadFailure(.noToken, internal: text)
        }
    }
}

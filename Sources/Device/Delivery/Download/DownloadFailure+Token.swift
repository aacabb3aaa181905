import Foundation
import HearthApp
import HearthTransport

extension DownloadFailure {
    /// The one place where a missing installation token becomes a download's failure.
    static func aboutToken(_ error: any Error) -> DownloadFailure {
        let error = error as NSError
        let text = "Error retrieving auth token. \(error.localizedDescription)"
        if let cause = error.userInfo[NSUnderlyingErrorKey] as? TransportError {
            let network = aboutInfo(cause)
            return DownloadFailure(network.code, internal: text, isTemporary: network.isTemporary)
        }
        let isUnreachable = InstallationsErrorCode.serverUnreachable ~= error
        return DownloadFailure(isUnreachable ? .cannotConnect : .noToken, internal: text, isTemporary: isUnreachable)
    }
}

import Foundation
import HearthApp
import HearthClient
import HearthFiles
import HearthTransport

extension DownloadFailure {
    /// The one place where a call about the model without an answer becomes a download's failure.
    ///
    /// - Parameter secrets: What no text for people may hold: the API key, the token.
    init(aboutInfo error: ClientError, without secrets: [String]) {
        switch error {
        case .cancelled, .stopped: self = .stopped
        case .noTokenInTime: self = .outOfTime
        case .noToken(let cause): self = .aboutToken(cause, without: secrets)
        case .network(let cause): self = .aboutInfo(cause)
        }
    }

    /// The one place where a failed call about the model becomes a download's failure.
    static func aboutInfo(_ error: TransportError) -> DownloadFailure {
        if error.code == .cancelled { return .stopped }
        return DownloadFailure(
            error.code == .tooLarge ? .malformedResponse : code(of: error),
            internal: "Failed to retrieve model info: \(text(of: error))", isTemporary: isTransient(error))
    }

    /// The one place where a failed transfer of the file becomes a download's failure.
    static func aboutFile(_ error: TransportError) -> DownloadFailure {
        switch error.code {
        case .cancelled: return .stopped
        case .tooLarge:
            return DownloadFailure(.tooLong, internal: "The downloaded file is not the published one. \(error.message)")
        default:
            // The link came from the server: that it is no address is not the app's fault.
            return DownloadFailure(
                error.code == .badURL ? .malformedResponse : code(of: error),
                "The file of the model could not be fetched: \(text(of: error))",
                error: .failedPrecondition, isTemporary: isTransient(error))
        }
    }

    private static func code(of error: TransportError) -> Code {
        switch error.code {
        case .couldNotResolve: .hostNotFound
        case .tls: .notSecure
        case .timedOut, .stalled: .tooSlow
        case .interrupted: .truncated
        case .tooLarge: .tooLong
        case .badResponse: .malformedResponse
        case .redirectRefused: .redirected
        case .insecureRedirect: .plainHTTP
        // The server's address, or a setting of the app.
        case .badURL, .badRequest: .notConfigured
        default: .cannotConnect
        }
    }

    /// A clock that is years off shows up here first: no certificate is valid then.
    private static func text(of error: TransportError) -> String {
        error.code == .tls ? "\(error.message), and this device's clock" : error.message
    }

    private static func isTransient(_ error: TransportError) -> Bool { error.isRetryable || error.code == .other }

    static var stopped: DownloadFailure { DownloadFailure(.cancelled, internal: "The download was cancelled.") }

    static var outOfTime: DownloadFailure {
        DownloadFailure(
            .tooSlow, "The download took longer than its deadline; what has arrived is kept for the next try.",
            error: .failedPrecondition, isTemporary: true)
    }
}

extension DownloadFailure {
    /// The one place where a missing installation token becomes a download's failure.
    /// - Parameter secrets: words that the server may have repeated, and that must not be.
    static func aboutToken(_ error: any Error, without secrets: [String] = []) -> DownloadFailure {
        let error = error as NSError
        let text = "Error retrieving auth token. \(singleLine(error.localizedDescription, without: secrets))"
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

extension DownloadFailure {
    /// The one place where a file error becomes a download's failure.
    init(_ error: FileError) {
        switch error.code {
        case .noSpace: self.init(.noSpace, error.message, error: .notEnoughSpace)
        case .mismatch: self = .notPublished(.wrongHash, error.message)
        case .tooLarge: self = .notPublished(.tooLong, error.message)
        case .notPermitted: self.init(.notWritable, internal: "Unable to save model file: \(error.message)")
        case .incompatible: self.init(.newerStore, internal: "Unable to save model file: \(error.message)")
        case .notFound:
            self.init(.storeRemoved, internal: "Unable to save model file: \(error.message)", isTemporary: true)
        default: self.init(.storeFailed, internal: "Unable to save model file: \(error.message)")
        }
    }

    /// The store cannot be opened. The original's words, in front of the reason.
    static func aboutStore(_ error: FileError) -> DownloadFailure {
        let failure = DownloadFailure(error)
        guard failure.error != .notEnoughSpace else { return failure }
        // The original's words.
        let text = "Could not create directory for model storage."
        return DownloadFailure(
            failure.code, "\(text) \(error.message)", error: .internalError(description: text))
    }

    /// The bytes are not the ones that were announced.
    static func notPublished(_ code: Code, _ reason: String) -> DownloadFailure {
        DownloadFailure(code, internal: "The downloaded file is not the published one. \(reason)")
    }
}

import Foundation
import HearthApp
import HearthClient
import HearthFiles
import HearthTransport

extension DownloadFailure {
    /// Makes a failure of a call about the model that has no answer. No other code does.
    ///
    /// - Parameter secrets: The API key and the token, which no message may contain.
    init(aboutInfo error: ClientError, without secrets: [String]) {
        switch error {
        case .cancelled, .stopped: self = .stopped
        case .noTokenInTime: self = .outOfTime
        case .noToken(let cause): self = .aboutToken(cause, without: secrets)
        case .network(let cause): self = .aboutInfo(cause)
        }
    }

    /// Makes a failure of a failed call about the model. No other code does.
    static func aboutInfo(_ error: TransportError) -> DownloadFailure {
        if error.code == .cancelled { return .stopped }
        return DownloadFailure(
            error.code == .tooLarge ? .malformedResponse : code(of: error),
            internal: "Failed to retrieve model info: \(text(of: error))", isTemporary: isTransient(error),
            cause: error)
    }

    /// Makes a failure of a failed transfer of the file. No other code does.
    static func aboutFile(_ error: TransportError) -> DownloadFailure {
        switch error.code {
        case .cancelled: return .stopped
        case .tooLarge:
            return .notPublished(.tooLong, error.message, cause: error)
        default:
            // The link came from the server, so the app is not to blame for a malformed one.
            return DownloadFailure(
                error.code == .badURL ? .malformedResponse : code(of: error),
                "The file of the model could not be downloaded: \(text(of: error))",
                error: .failedPrecondition, isTemporary: isTransient(error), cause: error)
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
        // The server's address or a setting of the app is wrong.
        case .badURL, .badRequest: .notConfigured
        default: .cannotConnect
        }
    }

    /// The message of the error. Without a secure connection it also names the clock: if the clock is wrong by years,
    /// every certificate is invalid.
    private static func text(of error: TransportError) -> String {
        error.code == .tls ? "\(error.message), and this device's clock" : error.message
    }

    private static func isTransient(_ error: TransportError) -> Bool { error.isRetryable || error.code == .other }

    /// The failure of a cancelled download.
    static var stopped: DownloadFailure { DownloadFailure(.cancelled, internal: "The download was cancelled.") }

    /// The failure of a download that has passed its deadline.
    static var outOfTime: DownloadFailure {
        DownloadFailure(
            .tooSlow,
            "The download took longer than its deadline; the next download continues with the bytes that have arrived.",
            error: .failedPrecondition, isTemporary: true)
    }
}

extension DownloadFailure {
    /// Makes a failure of a missing installation token. No other code does.
    /// - Parameter secrets: Words that the server's answer may contain and the message must not.
    static func aboutToken(_ error: any Error, without secrets: [String] = []) -> DownloadFailure {
        let error = error as NSError
        let text = "Error retrieving auth token. \(singleLine(error.localizedDescription, without: secrets))"
        switch error.userInfo[NSUnderlyingErrorKey] {
        case let cause as TransportError:
            let network = aboutInfo(cause)
            return DownloadFailure(network.code, internal: text, isTemporary: network.isTemporary, cause: error)
        case let refusal as InstallationRefusal:
            return aboutRefusal(refusal, text, cause: error)
        default:
            return DownloadFailure(.noToken, internal: text, cause: error)
        }
    }

    private static func aboutRefusal(
        _ refusal: InstallationRefusal, _ text: String, cause: any Error
    ) -> DownloadFailure {
        let (code, isTemporary): (Code, Bool) =
            switch refusal.status {
            case 429, 503: (.serverBusy, true)
            case 500...: (.serverFailed, true)
            case 400, 401, 403: (.permissionDenied, false)
            default: (.noToken, false)
            }
        return DownloadFailure(
            code, internal: text, isTemporary: isTemporary,
            retryAfterSeconds: isTemporary ? refusal.retryAfterSeconds : nil, cause: cause)
    }
}

extension DownloadFailure {
    /// Makes a failure of a file error. No other code does.
    init(_ error: FileError) {
        switch error.code {
        case .noSpace: self.init(.noSpace, error.message, error: .notEnoughSpace, cause: error)
        case .mismatch: self = .notPublished(.wrongHash, error.message, cause: error)
        case .tooLarge: self = .notPublished(.tooLong, error.message, cause: error)
        case .notPermitted: self.init(.notWritable, saving: error)
        case .incompatible: self.init(.newerStore, saving: error)
        case .notFound: self.init(.storeRemoved, saving: error, isTemporary: true)
        default: self.init(.storeFailed, saving: error)
        }
    }

    private init(_ code: Code, saving error: FileError, isTemporary: Bool = false) {
        self.init(
            code, internal: "Unable to save model file: \(error.message)", isTemporary: isTemporary, cause: error)
    }

    /// Makes the failure of a store that cannot be opened: the original's words, followed by the reason.
    static func aboutStore(_ error: FileError) -> DownloadFailure {
        let failure = DownloadFailure(error)
        guard failure.error != .notEnoughSpace else { return failure }
        // The original's words.
        let text = "Could not create directory for model storage."
        return DownloadFailure(
            failure.code, "\(text) \(error.message)", error: .internalError(description: text), cause: error)
    }

    /// The failure of a download whose bytes are not the announced ones.
    static func notPublished(_ code: Code, _ reason: String, cause: (any Error)? = nil) -> DownloadFailure {
        DownloadFailure(code, internal: "The downloaded file is not the published one. \(reason)", cause: cause)
    }
}

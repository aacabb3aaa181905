import HearthTransport

extension DownloadFailure {
    /// The one place where a failed call about the model becomes a download's failure.
    static func aboutInfo(_ error: TransportError) -> DownloadFailure {
        if error.code == .cancelled { return .stopped }
        return DownloadFailure(
            error.code == .tooLarge ? .nonsense : code(of: error),
            internal: "Failed to retrieve model info: \(text(of: error))", isTemporary: mayPass(error))
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
                error.code == .badURL ? .nonsense : code(of: error),
                "The file of the model could not be fetched: \(text(of: error))",
                error: .failedPrecondition, isTemporary: mayPass(error))
        }
    }

    private static func code(of error: TransportError) -> Code {
        switch error.code {
        case .couldNotResolve: .hostNotFound
        case .tls: .notSecure
        case .timedOut, .stalled: .tooSlow
        case .interrupted: .truncated
        case .tooLarge: .tooLong
        case .badResponse: .nonsense
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

    private static func mayPass(_ error: TransportError) -> Bool { error.isRetryable || error.code == .other }

    static var stopped: DownloadFailure { DownloadFailure(.cancelled, internal: "The download was cancelled.") }

    static var outOfTime: DownloadFailure {
        DownloadFailure(
            .tooSlow, "The download took longer than its deadline; what has arrived is kept for the next try.",
            error: .failedPrecondition, isTemporary: true)
    }
}

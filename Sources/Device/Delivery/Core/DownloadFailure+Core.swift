import HearthApp

extension DownloadFailure.Code {
    /// The `FirebaseApp` was deleted.
    public static let appDeleted = Self(rawValue: "appDeleted")
    /// The file on this device is not the one that was installed any more.
    public static let damaged = Self(rawValue: "damaged")
}

extension DownloadFailure {
    static var emptyName: DownloadFailure {
        DownloadFailure(
            .invalidArgument, "The model's name is empty: pass the name that it was published under.",
            error: .emptyModelName)
    }

    /// The options lack what is needed to ask the server.
    static func notConfigured(_ options: FirebaseOptions) -> DownloadFailure {
        guard options.projectID?.isEmpty == false, options.apiKey?.isEmpty == false else {
            // The original's words.
            let text = "Unable to retrieve project ID and/or API key for Firebase app."
            return DownloadFailure(
                .notConfigured, "\(text) Both stand in the file that the server wrote for its devices.",
                error: .internalError(description: text))
        }
        return DownloadFailure(
            .notConfigured,
            internal: "The server's address is missing: set HEARTH_SERVER_URL, or serverURL in the app's options.")
    }

    static func appDeleted(_ app: String) -> DownloadFailure {
        let message = "The app '\(app)' was deleted: configure it again and ask its new objects."
        return DownloadFailure(.appDeleted, message, error: .internalError(description: message))
    }

    static func cancelled(_ name: String) -> DownloadFailure {
        let message = "The download of '\(name)' was cancelled."
        return DownloadFailure(.cancelled, message, error: .internalError(description: message))
    }

    static func damaged(_ name: String) -> DownloadFailure {
        let message =
            "The file of '\(name)' on this device is damaged. It is fetched again when the model is asked for."
        return DownloadFailure(.damaged, message, error: .internalError(description: message), isTemporary: true)
    }

    static func unusable(_ name: String, reason: String, hasPrevious: Bool) -> DownloadFailure {
        let rest =
            hasPrevious
            ? "The version before it is used instead." : "No other version is on this device: publish one that works."
        let message = "The newest version of '\(name)' does not work on this device (\(line(reason))). \(rest)"
        return DownloadFailure(.unusable, message, error: .internalError(description: message))
    }
}

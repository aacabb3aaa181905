import HearthFiles

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

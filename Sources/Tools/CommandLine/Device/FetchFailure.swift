import HearthArguments
import HearthDelivery

/// A model that could not be had: one line for the user.
struct FetchFailure: CodedError, CustomStringConvertible {
    let failure: DownloadFailure
    /// nil when no single model is meant.
    var modelName: String?

    init(_ failure: DownloadFailure, modelName: String? = nil) {
        self.failure = failure
        self.modelName = modelName
    }

    var description: String {
        switch (failure.code, modelName) {
        case (.notFound, let name?):
            "There is no published model '\(name)' on the server, or no release of it is for this device. "
                + "`hearth models list` and `hearth releases list \(name)` show what there is."
        case (.permissionDenied, _):
            "The server refused this device: \(failure.message)"
        default: failure.message
        }
    }

    /// The failure's own code as the server writes such words: `NOT_FOUND` for `notFound`.
    var code: String {
        var code = ""
        var isAfterSmall = false
        for letter in failure.code.rawValue {
            if letter.isUppercase && isAfterSmall { code += "_" }
            isAfterSmall = letter.isLowercase
            code += letter.uppercased()
        }
        return code
    }

    /// Whether the copy on this device may be used instead. Not after an answer that says no, nor when there was nothing to ask.
    var isAccident: Bool {
        let answers: [DownloadFailure.Code] = [
            .notFound, .permissionDenied, .invalidArgument, .notConfigured, .unusable,
        ]
        return !answers.contains(failure.code)
    }
}

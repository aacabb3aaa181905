package import HearthAdmin
import HearthArguments
import HearthLocalCommands

/// Adds to an error what to do on the command line.
extension AdminError: CodedError {
    package var reportedCode: String { code == .refused ? serverCode ?? ErrorNotice.failed : ErrorNotice.failed }

    package var reportedText: String? {
        switch code {
        case .noCredentials:
            """
            \(message) Start `hearth serve` here, name the file with --credentials or HEARTH_CREDENTIALS, or set \
            HEARTH_TOKEN and HEARTH_URL.
            """
        case .noProject: "There is no project for this token; make one with hearth projects create."
        case .severalProjects: "This token is for several projects; name one with --project or HEARTH_PROJECT."
        case .stillChecking:
            "The server is still validating the file. Look for the result later with hearth models versions."
        case .incompleteUpload: incompleteUpload.map(text)
        default: nil
        }
    }

    private func text(_ upload: IncompleteUpload) -> String {
        """
        \((underlyingError as? AdminError)?.sentence ?? sentence) \(ByteCount.text(upload.receivedBytes)) of \
        \(ByteCount.text(upload.totalBytes)) are on the server; to continue, run the same command with --resume.
        """
    }
}

extension AdminNotice {
    /// The text of a notice on standard error.
    package var text: String {
        switch self {
        case .checking: "The server is validating the file ..."
        case .noUnfinishedUpload:
            "note: there is no unfinished upload of this file; the upload starts from the beginning."
        case .uploadForgotten:
            "note: the server no longer has the unfinished upload; the upload starts from the beginning."
        case .uploadResumed(let received, let total):
            "note: \(ByteCount.text(received)) of \(ByteCount.text(total)) are on the server; the upload continues from there."
        case .callRetried(let error): "note: \(error.sentence) The command tries again."
        case .uploadRetried(let error):
            "note: \(error.sentence) The command tries again for about five minutes."
        case .uploadNotRecorded(let error):
            "note: if the upload is interrupted, it cannot be resumed later: \(error)"
        }
    }
}

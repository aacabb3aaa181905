import HearthAdmin
import HearthArguments
import HearthLocalCommands

/// What commands say of an error, with what to do on the command line.
extension AdminError: CodedError {
    package var reportedCode: String { code == .refused ? serverCode ?? ErrorNotice.failed : ErrorNotice.failed }

    package var reportedText: String? {
        switch code {
        case .noCredentials:
            """
            \(message) Start `hearth serve` here, name the file with --credentials or HEARTH_CREDENTIALS, or set \
            HEARTH_TOKEN and HEARTH_URL.
            """
        case .noProject: "This token sees no project; make one with hearth projects create."
        case .severalProjects: "This token is for several projects; name one with --project or HEARTH_PROJECT."
        case .stillChecking:
            "The server still checks the file. It goes on by itself; see later with hearth models versions."
        case .incompleteUpload: incompleteUpload.map(text)
        default: nil
        }
    }

    private func text(_ upload: IncompleteUpload) -> String {
        """
        \((underlyingError as? AdminError)?.sentence ?? sentence) \(ByteCount.text(upload.receivedBytes)) of \
        \(ByteCount.text(upload.totalBytes)) are on the server; to go on, run the same command with --resume.
        """
    }
}

extension AdminNotice {
    /// As commands print it on standard error.
    var text: String {
        switch self {
        case .checking: "The server is checking the file ..."
        case .noUnfinishedUpload:
            "note: there is no unfinished upload of this file; it starts from the beginning."
        case .uploadForgotten:
            "note: the server has forgotten the unfinished upload; it starts from the beginning."
        case .uploadResumed(let received, let total):
            "note: \(ByteCount.text(received)) of \(ByteCount.text(total)) are on the server; the upload goes on there."
        case .uploadRetried(let error):
            "note: \(error.sentence) The upload is tried again for about five minutes."
        case .uploadNotRecorded(let error):
            "note: should the upload break off, it cannot be resumed later: \(error)"
        }
    }
}

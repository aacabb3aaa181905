public import Foundation
import HearthFiles
import HearthTransport
import HearthWire

/// Why a call of ``AdminClient`` failed: the one error type of this library.
public struct AdminError: LocalizedError, CustomStringConvertible, Sendable {
    /// The kind of a failure, for callers that branch on it.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String

        /// A code with this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The server refused the call: ``AdminError/status`` and ``AdminError/serverCode`` say how.
        public static let refused = Code(rawValue: "refused")
        /// No complete answer came: the address is wrong, there is no network or no secure connection, or a proxy refused.
        public static let connectionFailed = Code(rawValue: "connectionFailed")
        /// The answer does not have the agreed form. It may come from another server than a Hearth server.
        public static let malformedResponse = Code(rawValue: "malformedResponse")
        /// The file of credentials does not exist.
        public static let noCredentials = Code(rawValue: "noCredentials")
        /// The credentials are invalid, or the server does not accept them.
        public static let invalidCredentials = Code(rawValue: "invalidCredentials")
        /// There is no project for the admin token.
        public static let noProject = Code(rawValue: "noProject")
        /// The admin token is for several projects, and the client has none.
        public static let severalProjects = Code(rawValue: "severalProjects")
        /// The request cannot be written, for example because it has a number that JSON does not have.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The file to upload cannot be read, is not a regular file, or changed while it was sent.
        public static let invalidFile = Code(rawValue: "invalidFile")
        /// The server has a part of the file, and the upload can continue later: see ``AdminError/incompleteUpload``.
        public static let incompleteUpload = Code(rawValue: "incompleteUpload")
        /// The uploaded file is not a valid model.
        public static let invalidModel = Code(rawValue: "invalidModel")
        /// The server accepted the call, but could not finish it.
        public static let operationFailed = Code(rawValue: "operationFailed")
        /// The server validates a file for longer than the client waits, and continues with it.
        public static let stillChecking = Code(rawValue: "stillChecking")
        /// Another file has become the model's newest version meanwhile.
        public static let superseded = Code(rawValue: "superseded")
    }

    /// The progress of an upload.
    public struct IncompleteUpload: Hashable, Sendable {
        /// Bytes that the server has.
        public let receivedBytes: UInt64
        /// Bytes of the whole file.
        public let totalBytes: UInt64
    }

    /// The kind of failure.
    public let code: Code
    /// One line: what is wrong, and what to do.
    public let message: String
    /// The HTTP status of a refusal; nil if the server did not refuse the call.
    public let status: Int?
    /// The server's own code for a refusal, such as `NOT_FOUND`, or else `HTTP_` and the status; nil without a refusal.
    public let serverCode: String?
    /// With `incompleteUpload`: the progress of the upload.
    public let incompleteUpload: IncompleteUpload?
    /// The error that caused this one, if there is one. With `incompleteUpload`: what interrupted the upload.
    public let underlyingError: (any Error)?

    /// The message.
    public var description: String { message }

    /// The message.
    public var errorDescription: String? { message }

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        status = nil
        serverCode = nil
        incompleteUpload = nil
        underlyingError = cause
    }

    /// An interrupted upload with a part of the file on the server.
    init(_ cause: AdminError, after upload: IncompleteUpload) {
        code = .incompleteUpload
        message =
            "\(cause.sentence) \(upload.receivedBytes) of \(upload.totalBytes) bytes are on the server; resume the upload "
            + "to continue."
        status = cause.status
        serverCode = cause.serverCode
        incompleteUpload = upload
        underlyingError = cause
    }

    /// The error for a refusal.
    init(_ response: TransportResponse) {
        let status = response.status
        let envelope = try? WireJSON.decode(ErrorEnvelope.self, from: response.body)
        let text = envelope.map { Self.text($0.error) }
        switch (status, text) {
        case (401, _):
            message =
                "The server refused the credentials. \(text ?? "They may have ended or belong to another server.")"
        case (429, _):
            message = "The server has had too many calls from these credentials; try again later."
        case (503, nil), (502, _), (504, _):
            message = "The server cannot answer now (HTTP status \(status)); try again later."
        case (_, let text?): message = text
        case (404, nil), (405, nil):
            message = "The server does not know this call; is it a Hearth server of this version?"
        case (413, nil):
            message =
                "A proxy before the server refused the request because it is too large (HTTP status 413). Raise the "
                + "proxy's limit: for nginx it is client_max_body_size."
        case (_, nil):
            // A Hearth server gives a reason with each refusal.
            message =
                "The answer with HTTP status \(status) does not come from a Hearth server. Check the address, and the "
                + "proxy before the server, if there is one."
        }
        code = .refused
        self.status = status
        serverCode = envelope?.error.status ?? "HTTP_\(status)"
        incompleteUpload = nil
        underlyingError = nil
    }

    /// The invalid parts of the call, if the server names them: the message itself may be a fixed text for existing tools.
    private static func text(_ error: ErrorEnvelope.Detail) -> String {
        let violations = (error.details ?? []).flatMap { $0.fieldViolations ?? [] }
        let texts = violations.prefix(3).map { "\($0.field): \($0.description)" }
        return texts.isEmpty || texts.contains { $0.hasSuffix(error.message) }
            ? error.message : texts.joined(separator: " ")
    }
}

extension AdminError {
    init(_ error: TransportError) {
        self.init(error.code == .bodyUnreadable ? .invalidFile : .connectionFailed, error.message, cause: error)
    }

    init(_ error: FileError) { self.init(.invalidFile, error.message, cause: error) }

    /// Why no complete answer came.
    var transportError: TransportError? { underlyingError as? TransportError }

    /// The message, with a period at its end.
    package var sentence: String { message.hasSuffix(".") ? message : message + "." }
}

/// Information for the user during a call. None of it needs an action.
public enum AdminNotice: Sendable {
    /// The server validates an uploaded file, and the call waits for that.
    case checking
    /// There is no upload to resume: the upload starts from the beginning.
    case noUnfinishedUpload
    /// The server no longer has the unfinished upload: the upload starts from the beginning.
    case uploadForgotten
    /// An upload continues where an earlier one was interrupted: with these bytes of the file on the server, of all of them.
    case uploadResumed(receivedBytes: UInt64, totalBytes: UInt64)
    /// The server refuses the call for now, and the client tries again a few times. It comes once for each reason.
    case callRetried(AdminError)
    /// The server refuses a part of the file for now, the client has lost the server, or makes no progress. The client tries
    /// again for about five minutes. It comes once for each reason of the server.
    case uploadRetried(AdminError)
    /// The client could not record the place of the upload. If the upload is interrupted, it cannot be resumed later.
    case uploadNotRecorded(any Error)
}

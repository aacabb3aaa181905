public import Foundation
import HearthClient

/// Why a model could not be downloaded, with more detail than ``DownloadError``. Hearth's addition.
///
/// After any failure, the model that was installed before is still installed.
public struct DownloadFailure: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure, for programs that branch on it.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String
        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The app's options lack the project, the API key or the server's address.
        public static let notConfigured = Code(rawValue: "notConfigured")
        /// The project has no such model, or the model is not published.
        public static let notFound = Code(rawValue: "notFound")
        /// The server gave a link to the model's file, but the file is not there: the server has lost it.
        public static let fileMissing = Code(rawValue: "fileMissing")
        /// The server refused the API key, the installation's token or the link.
        public static let permissionDenied = Code(rawValue: "permissionDenied")
        /// This installation has no token, so the app cannot call the server.
        public static let noToken = Code(rawValue: "noToken")
        /// The model's name is empty, the server did not understand the request, or the server refused the link to the
        /// file and then a new link too.
        public static let invalidArgument = Code(rawValue: "invalidArgument")
        /// The server received too many requests (429), or is too busy now (503).
        public static let serverBusy = Code(rawValue: "serverBusy")
        /// The server failed (5xx), or answered with an unexpected status.
        public static let serverFailed = Code(rawValue: "serverFailed")
        /// The answer does not have the form that a model server's answers have.
        public static let malformedResponse = Code(rawValue: "malformedResponse")
        /// The server's name cannot be resolved.
        public static let hostNotFound = Code(rawValue: "hostNotFound")
        /// The server does not accept connections, or the network is down.
        public static let cannotConnect = Code(rawValue: "cannotConnect")
        /// A secure connection is impossible, for example because the certificate is untrusted or the device's clock is
        /// wrong by years.
        public static let notSecure = Code(rawValue: "notSecure")
        /// The server's address is https, but the server sends the app to an http address.
        public static let plainHTTP = Code(rawValue: "plainHTTP")
        /// The server redirects to an address that the app must not follow.
        public static let redirected = Code(rawValue: "redirected")
        /// The connection ended before the file was complete.
        public static let truncated = Code(rawValue: "truncated")
        /// No byte arrived for too long, or the whole download took too long, including the wait for another program
        /// that downloads the same model.
        public static let tooSlow = Code(rawValue: "tooSlow")
        /// More bytes arrived than the server announced.
        public static let tooLong = Code(rawValue: "tooLong")
        /// The file's length is not the announced one.
        public static let wrongLength = Code(rawValue: "wrongLength")
        /// The file's SHA-256 is not the published one.
        public static let wrongHash = Code(rawValue: "wrongHash")
        /// The link to the file had expired, and then a new link too.
        public static let linkExpired = Code(rawValue: "linkExpired")
        /// The model is larger than the app allows.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The model does not fit the disk, or the quota of the app's store.
        public static let noSpace = Code(rawValue: "noSpace")
        /// The disk, or the store's folder, cannot be written.
        public static let notWritable = Code(rawValue: "notWritable")
        /// The store or one of its files was removed during the download. The next download creates it again.
        public static let storeRemoved = Code(rawValue: "storeRemoved")
        /// A disk operation failed.
        public static let storeFailed = Code(rawValue: "storeFailed")
        /// A newer version of Hearth wrote the store.
        public static let newerStore = Code(rawValue: "newerStore")
        /// The download's conditions, such as an unmetered connection, are not met now.
        public static let conditionsNotMet = Code(rawValue: "conditionsNotMet")
        /// The app cancelled the download.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The model does not work on this device: it did not load, or the app's own check refused it.
        public static let unusable = Code(rawValue: "unusable")
    }

    /// The kind of failure.
    public let code: Code
    /// One line: what is wrong and what to do. It contains neither the API key nor a token, and addresses in it are
    /// without their query and without parts of their path that may be tokens.
    public let message: String
    /// The error that ``ModelDownloader`` reports: one of the original's cases.
    public let error: DownloadError
    /// Whether the same download may succeed later without any change.
    public let isTemporary: Bool

    /// How many seconds the server asked the app to wait; nil when it did not ask.
    public let retryAfterSeconds: Double?
    /// The error below this one, such as that of the network, of a file operation or of the app's load check; nil where
    /// there is none. `String(describing:)` gives its text, which may contain the server's own words, the API key or a
    /// token among them, and paths and addresses in full: do not log it where others read it.
    public let cause: (any Error)?

    /// Whether everything but the causes is the same; causes are not compared.
    public static func == (left: DownloadFailure, right: DownloadFailure) -> Bool {
        left.code == right.code && left.message == right.message && left.error == right.error
            && left.isTemporary == right.isTemporary && left.retryAfterSeconds == right.retryAfterSeconds
    }

    /// The error as text: ``message``.
    public var description: String { message }
    /// What `localizedDescription` returns: ``message``.
    public var errorDescription: String? { message }

    package init(
        _ code: Code, _ message: String, error: DownloadError, isTemporary: Bool = false,
        retryAfterSeconds: Double? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.error = error
        self.isTemporary = isTemporary
        self.retryAfterSeconds = retryAfterSeconds
        self.cause = cause
    }

    /// A failure for which the original has no case: both carry the same text.
    init(
        _ code: Code, internal text: String, isTemporary: Bool = false, retryAfterSeconds: Double? = nil,
        cause: (any Error)? = nil
    ) {
        self.init(
            code, text, error: .internalError(description: text), isTemporary: isTemporary,
            retryAfterSeconds: retryAfterSeconds, cause: cause)
    }

    /// A foreign text on one line and of limited length, so that a log can contain it.
    ///
    /// - Parameter replacement: Returns what replaces a word; nil removes the word.
    static func singleLine(_ text: String, telling replacement: (Substring) -> Substring? = { $0 }) -> String {
        // Scalars, not characters, because a character may consist of any number of scalars.
        let visible = text.unicodeScalars.filter { $0.properties.generalCategory != .format }
        let words = visible.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
        let line = words.compactMap { replacement(Substring($0)) }.joined(separator: " ")
        return String(String.UnicodeScalarView(line.unicodeScalars.prefix(300)))
    }

    /// The server's text without the words that contain one of `secrets`, such as the API key or a token. Addresses are
    /// without the parts that may be secret.
    static func singleLine(_ text: String, without secrets: [String]) -> String {
        singleLine(text) { word in
            secrets.contains { !$0.isEmpty && word.contains($0) } ? nil : URLRedaction.redacted(word)
        }
    }
}

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

    /// The options lack a value that calls to the server need.
    static func notConfigured(_ missing: MissingOptions) -> DownloadFailure {
        guard missing.names == ["serverURL"] else {
            // The original's words.
            let text = "Unable to retrieve project ID and/or API key for Firebase app."
            return DownloadFailure(
                .notConfigured, "\(text) Both are in the GoogleService-Info.plist that the server wrote.",
                error: .internalError(description: text))
        }
        return DownloadFailure(
            .notConfigured,
            internal: "The server's address is missing: set HEARTH_SERVER_URL, or serverURL in the app's options.")
    }

    /// The failure of every call after the app was deleted.
    static func appDeleted(_ app: String) -> DownloadFailure {
        let message = "The app '\(app)' was deleted: configure it again and use its new objects."
        return DownloadFailure(.appDeleted, message, error: .internalError(description: message))
    }

    /// The failure of a download that the app cancelled.
    static func cancelled(_ name: String) -> DownloadFailure {
        let message = "The download of '\(name)' was cancelled."
        return DownloadFailure(.cancelled, message, error: .internalError(description: message))
    }

    /// The failure in the state of a model whose file is damaged.
    static func damaged(_ name: String) -> DownloadFailure {
        let message =
            "The file of '\(name)' on this device is damaged. It is downloaded again when the app requests the model."
        return DownloadFailure(.damaged, message, error: .internalError(description: message), isTemporary: true)
    }

    /// The failure when the newest version does not work on this device.
    ///
    /// - Parameter cause: What the app's load check threw; nil where a stored rejection is the reason.
    static func unusable(
        _ name: String, reason: String, hasPrevious: Bool, cause: (any Error)? = nil
    ) -> DownloadFailure {
        let advice =
            hasPrevious
            ? "The version before it is used instead." : "No other version is on this device: publish one that works."
        let message = "The newest version of '\(name)' does not work on this device (\(singleLine(reason))). \(advice)"
        return DownloadFailure(.unusable, message, error: .internalError(description: message), cause: cause)
    }
}

/// Removes what may be secret from addresses in foreign texts: user and password, query, fragment, and parts of the
/// path that are not plain words, such as the tokens of links. Pure.
enum URLRedaction {
    private static let longestSegment = 40
    private static let mostDigits = 3

    /// The word without the secret parts of its address. A word without an address or without secrets, such as
    /// `http://` in Hearth's own advice, stays as it is.
    static func redacted(_ word: Substring) -> Substring {
        guard let slashes = word.firstRange(of: "://") else { return word }
        let before = word[..<slashes.upperBound]
        // Punctuation and brackets at the end belong to the text around the address.
        let closing = word[slashes.upperBound...].reversed().prefix { ".,;:!?)]}>\"'".contains($0) }.count
        let end = word.index(word.endIndex, offsetBy: -closing)
        let address = word[slashes.upperBound..<end]
        let plain = address.prefix { $0 != "?" && $0 != "#" }
        let parts = plain.split(separator: "/", omittingEmptySubsequences: false)
        guard let authority = parts.first else { return word }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let path = parts.dropFirst().map { isPlain($0) ? String($0) : "..." }
        let shown = ([String(host)] + path).joined(separator: "/")
        return before + shown + word[end...]
    }

    /// Whether the part is a word, a version number or a name, and not a random text.
    private static func isPlain(_ segment: Substring) -> Bool {
        guard segment.utf8.count <= longestSegment else { return false }
        var digits = 0
        var isAfterLetter = false
        for character in segment {
            guard character.isASCII, character.isLetter || character.isNumber || "-._~:+".contains(character) else {
                return false
            }
            if character.isNumber { digits += 1 }
            if character.isUppercase, isAfterLetter { return false }
            isAfterLetter = character.isLetter
        }
        return digits <= mostDigits
    }
}

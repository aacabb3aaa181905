public import Foundation
import HearthClient

/// Why a model could not be fetched, in more detail than ``DownloadError`` has room for. Hearth's addition.
///
/// The model that was installed before is still installed, whatever the failure.
public struct DownloadFailure: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The kind of accident, for programs that branch on it.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The app's options lack the project, the API key or the server's address.
        public static let notConfigured = Code(rawValue: "notConfigured")
        /// There is no such model, or it is not published.
        public static let notFound = Code(rawValue: "notFound")
        /// The server refused the API key, the installation's token or the link.
        public static let permissionDenied = Code(rawValue: "permissionDenied")
        /// There is no token for this installation, so that the server cannot be asked.
        public static let noToken = Code(rawValue: "noToken")
        /// The model's name is empty, or the server did not understand the request, or refused the link to the file and the one
        /// asked for afterwards.
        public static let invalidArgument = Code(rawValue: "invalidArgument")
        /// Too many requests (429), or the server has no time now (503).
        public static let serverBusy = Code(rawValue: "serverBusy")
        /// The server failed (5xx), or answered with a status that makes no sense here.
        public static let serverFailed = Code(rawValue: "serverFailed")
        /// The answer is not what a model server sends.
        public static let malformedResponse = Code(rawValue: "malformedResponse")
        /// The server's name is not known.
        public static let hostNotFound = Code(rawValue: "hostNotFound")
        /// The server does not accept connections, or the network is down.
        public static let cannotConnect = Code(rawValue: "cannotConnect")
        /// No secure connection: an untrusted certificate, for example, or a device's clock that is years off.
        public static let notSecure = Code(rawValue: "notSecure")
        /// The server's address is https, but it sends to plain http.
        public static let plainHTTP = Code(rawValue: "plainHTTP")
        /// The server sends to another address, which is not followed.
        public static let redirected = Code(rawValue: "redirected")
        /// The connection broke before the file was complete.
        public static let truncated = Code(rawValue: "truncated")
        /// Nothing came for too long, or the whole took too long, waiting for another program that fetches the same model
        /// included.
        public static let tooSlow = Code(rawValue: "tooSlow")
        /// More bytes came than were announced.
        public static let tooLong = Code(rawValue: "tooLong")
        /// The file has another length than was announced.
        public static let wrongLength = Code(rawValue: "wrongLength")
        /// The file's SHA-256 is not the published one.
        public static let wrongHash = Code(rawValue: "wrongHash")
        /// The link to the file had expired, and so had the one asked for afterwards.
        public static let linkExpired = Code(rawValue: "linkExpired")
        /// The model is larger than the app allows.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The disk is full, or would be, or the quota of the app's store does not hold the model.
        public static let noSpace = Code(rawValue: "noSpace")
        /// The disk, or the store's folder, cannot be written.
        public static let notWritable = Code(rawValue: "notWritable")
        /// The store, or a file of it, was removed while it was used. The next download makes it anew.
        public static let storeRemoved = Code(rawValue: "storeRemoved")
        /// A disk operation failed.
        public static let storeFailed = Code(rawValue: "storeFailed")
        /// A newer version of Hearth made the store.
        public static let newerStore = Code(rawValue: "newerStore")
        /// The conditions (metered connection, power) do not allow the download now.
        public static let conditionsNotMet = Code(rawValue: "conditionsNotMet")
        /// The app cancelled the download.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The model cannot be used on this device: it did not load, or the app's own check refused it.
        public static let unusable = Code(rawValue: "unusable")
    }

    public let code: Code
    /// One line: what is wrong and what to do. Holds no key and no token; addresses in it are without their query, and without what may
    /// be a token in their path.
    public let message: String
    /// What ``ModelDownloader`` reports: the original's set of cases.
    public let error: DownloadError
    /// Whether the same download may well succeed later without anybody doing anything.
    public let isTemporary: Bool

    /// How long the server asked to be left alone, if it did.
    public let retryAfterSeconds: Double?

    public var description: String { message }
    public var errorDescription: String? { message }

    package init(
        _ code: Code, _ message: String, error: DownloadError, isTemporary: Bool = false,
        retryAfterSeconds: Double? = nil
    ) {
        self.code = code
        self.message = message
        self.error = error
        self.isTemporary = isTemporary
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// A failure that the original's set of cases has no case for: both carry the same text.
    init(_ code: Code, internal text: String, isTemporary: Bool = false, retryAfterSeconds: Double? = nil) {
        self.init(
            code, text, error: .internalError(description: text), isTemporary: isTemporary,
            retryAfterSeconds: retryAfterSeconds)
    }

    /// Somebody else's words on one line and of bearable length: they may end in a log.
    ///
    /// - Parameter told: what is told of a word; nil leaves it out.
    static func singleLine(_ text: String, telling told: (Substring) -> Substring? = { $0 }) -> String {
        // Scalars, not characters: a character may hold any number of them.
        let visible = text.unicodeScalars.filter { $0.properties.generalCategory != .format }
        let words = visible.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
        let line = words.compactMap { told(Substring($0)) }.joined(separator: " ")
        return String(String.UnicodeScalarView(line.unicodeScalars.prefix(300)))
    }

    /// The server's own words, less those that hold one of `secrets`: the API key, a token. Addresses are told without what may be a
    /// secret in them.
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

    /// The options lack what is needed to call the server.
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
        let message = "The newest version of '\(name)' does not work on this device (\(singleLine(reason))). \(rest)"
        return DownloadFailure(.unusable, message, error: .internalError(description: message))
    }
}

/// An address in somebody else's words, less what may be a secret in it: user and password, query, fragment, and parts of the path
/// that are no plain words, as the tokens of links are. Pure.
enum URLRedaction {
    private static let longestSegment = 40
    private static let mostDigits = 3

    /// The word itself where it holds no address, and where its address holds no secret, such as `http://` in our own advice.
    static func redacted(_ word: Substring) -> Substring {
        guard let slashes = word.firstRange(of: "://") else { return word }
        let before = word[..<slashes.upperBound]
        // What closes a sentence or a bracket belongs to the words around the address.
        let closing = word[slashes.upperBound...].reversed().prefix { ".,;:!?)]}>\"'".contains($0) }.count
        let end = word.index(word.endIndex, offsetBy: -closing)
        let address = word[slashes.upperBound..<end]
        let plain = address.prefix { $0 != "?" && $0 != "#" }
        let parts = plain.split(separator: "/", omittingEmptySubsequences: false)
        guard let authority = parts.first else { return word }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let path = parts.dropFirst().map { isPlain($0) ? String($0) : "..." }
        return before + ([String(host)] + path).joined(separator: "/") + word[end...]
    }

    /// Words, numbers of versions and names; not what chance made.
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

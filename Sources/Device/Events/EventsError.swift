public import Foundation

/// Why waiting events were not sent. They are kept and sent later.
public struct EventsError: LocalizedError, Sendable, CustomStringConvertible {
    /// The kind of failure. More kinds may be added: keep a default branch.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The kind's name.
        public let rawValue: String
        /// Makes a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No app is configured, or its options lack the server, the project or the key.
        public static let notConfigured = Code(rawValue: "notConfigured")
        /// The app was deleted.
        public static let appDeleted = Code(rawValue: "appDeleted")
        /// Another program of the same app is sending.
        public static let busy = Code(rawValue: "busy")
        /// The server cannot be reached.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The server did not accept the events now.
        public static let refused = Code(rawValue: "refused")
        /// The disk does not work.
        public static let storage = Code(rawValue: "storage")
    }

    /// The kind of failure, for programs that branch on it.
    public let code: Code
    /// One line: what is wrong and what to do.
    public let message: String

    /// The error as text: ``message``.
    public var description: String { message }
    /// What `localizedDescription` returns: ``message``.
    public var errorDescription: String? { message }

    /// The underlying error, if there is one.
    public let cause: (any Error)?

    /// The seconds of backoff that the server asked for.
    let pauseSeconds: Double?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil, pauseSeconds: Double? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
        self.pauseSeconds = pauseSeconds
    }
}

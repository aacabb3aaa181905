/// Why there is no complete answer. The text names the host, and never a path, a query, a header or a credential.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for callers that branch on it.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Not an absolute http or https URL, or one with a user name or password.
        public static let badURL = Code(rawValue: "badURL")
        /// A method, header or limit that cannot be sent or kept.
        public static let badRequest = Code(rawValue: "badRequest")
        /// The file to send cannot be read, or changed while it was sent.
        public static let bodyUnreadable = Code(rawValue: "bodyUnreadable")
        public static let couldNotResolve = Code(rawValue: "couldNotResolve")
        public static let couldNotConnect = Code(rawValue: "couldNotConnect")
        /// No secure connection: an untrusted certificate, the wrong name, no common protocol, a bad CA file.
        public static let tls = Code(rawValue: "tls")
        /// The connect or total time ran out.
        public static let timedOut = Code(rawValue: "timedOut")
        /// No byte moved for the stall time.
        public static let stalled = Code(rawValue: "stalled")
        /// More bytes than `maxResponseBytes`, or an absurd amount of headers.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The connection broke before the answer was complete.
        public static let interrupted = Code(rawValue: "interrupted")
        /// The answer is not HTTP.
        public static let badResponse = Code(rawValue: "badResponse")
        public static let cancelled = Code(rawValue: "cancelled")
        /// `onHead` or `onBody` threw; `cause` is what they threw.
        public static let aborted = Code(rawValue: "aborted")
        /// A redirect that the request's policy does not allow.
        public static let redirectRefused = Code(rawValue: "redirectRefused")
        /// A redirect from https to plain http, which no policy allows.
        public static let insecureRedirect = Code(rawValue: "insecureRedirect")
        public static let other = Code(rawValue: "other")
    }

    public let code: Code
    /// One line: what is wrong and what to do.
    public let message: String
    /// The caller's own error when a closure threw (`aborted`).
    public let cause: (any Error)?

    public var description: String { message }

    /// Whether the same request may well succeed later. Whether it may be sent twice is for the caller to know.
    public var isRetryable: Bool {
        [.couldNotResolve, .couldNotConnect, .timedOut, .stalled, .interrupted].contains(code)
    }

    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

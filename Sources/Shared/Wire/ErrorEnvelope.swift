/// The canonical error kinds of Google's APIs, with the HTTP status and the `google.rpc.Code` of each.
public struct CanonicalStatus: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let invalidArgument = CanonicalStatus(rawValue: "INVALID_ARGUMENT")
    public static let failedPrecondition = CanonicalStatus(rawValue: "FAILED_PRECONDITION")
    public static let unauthenticated = CanonicalStatus(rawValue: "UNAUTHENTICATED")
    public static let permissionDenied = CanonicalStatus(rawValue: "PERMISSION_DENIED")
    public static let notFound = CanonicalStatus(rawValue: "NOT_FOUND")
    public static let alreadyExists = CanonicalStatus(rawValue: "ALREADY_EXISTS")
    public static let resourceExhausted = CanonicalStatus(rawValue: "RESOURCE_EXHAUSTED")
    public static let unimplemented = CanonicalStatus(rawValue: "UNIMPLEMENTED")
    public static let `internal` = CanonicalStatus(rawValue: "INTERNAL")
    public static let unavailable = CanonicalStatus(rawValue: "UNAVAILABLE")

    private static let numbers: [CanonicalStatus: (http: Int, rpc: Int)] = [
        .invalidArgument: (400, 3), .failedPrecondition: (400, 9), .unauthenticated: (401, 16),
        .permissionDenied: (403, 7), .notFound: (404, 5), .alreadyExists: (409, 6), .resourceExhausted: (429, 8),
        .unimplemented: (501, 12), .internal: (500, 13), .unavailable: (503, 14),
    ]

    public var httpStatus: Int { Self.numbers[self]?.http ?? 500 }
    public var rpcCode: Int { Self.numbers[self]?.rpc ?? 2 }
}

/// The body of every failed call: `{"error":{"code":…,"message":…,"status":…}}`.
public struct ErrorEnvelope: Codable, Sendable {
    public struct Detail: Codable, Sendable {
        /// The HTTP status.
        public var code: Int
        public var message: String
        public var status: String
        /// What exactly is wrong, for programs; left out when the message says all.
        public var details: [BadRequestDetail]?

        public init(code: Int, message: String, status: String, details: [BadRequestDetail]? = nil) {
            self.code = code
            self.message = message
            self.status = status
            self.details = details
        }
    }

    public var error: Detail

    /// `httpStatus` replaces the kind's own where HTTP has a finer one, such as 413.
    public init(
        _ status: CanonicalStatus, _ message: String, httpStatus: Int? = nil, details: [BadRequestDetail]? = nil
    ) {
        error = Detail(
            code: httpStatus ?? status.httpStatus, message: message, status: status.rawValue, details: details)
    }
}

/// `google.rpc.BadRequest`: which fields of a request are wrong, and why.
public struct BadRequestDetail: Codable, Sendable, Equatable {
    public struct FieldViolation: Codable, Sendable, Equatable {
        /// A path such as `state.published`, or the name of a query item.
        public var field: String
        /// What is wrong and what to do, in one line.
        public var description: String

        public init(field: String, description: String) {
            self.field = field
            self.description = description
        }
    }

    public var type: String
    public var fieldViolations: [FieldViolation]?

    public init(_ violations: [FieldViolation]) {
        type = "type.googleapis.com/google.rpc.BadRequest"
        fieldViolations = violations
    }

    enum CodingKeys: String, CodingKey {
        case type = "@type"
        case fieldViolations
    }
}

/// An error inside an answer: `google.rpc.Status`, as operations and `validationError` carry it.
public struct RPCStatus: Codable, Sendable, Equatable {
    public var code: Int?
    public var message: String

    public init(code: Int?, message: String) {
        self.code = code
        self.message = message
    }

    public init(_ status: CanonicalStatus, _ message: String) {
        self.init(code: status.rpcCode, message: message)
    }
}

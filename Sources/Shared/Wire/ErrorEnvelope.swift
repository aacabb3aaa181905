/// The canonical error kinds of Google's APIs, with the HTTP status and the `google.rpc.Code` of each.
package struct CanonicalStatus: RawRepresentable, Hashable, Sendable, Codable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let invalidArgument = CanonicalStatus(rawValue: "INVALID_ARGUMENT")
    package static let failedPrecondition = CanonicalStatus(rawValue: "FAILED_PRECONDITION")
    package static let unauthenticated = CanonicalStatus(rawValue: "UNAUTHENTICATED")
    package static let permissionDenied = CanonicalStatus(rawValue: "PERMISSION_DENIED")
    package static let notFound = CanonicalStatus(rawValue: "NOT_FOUND")
    package static let alreadyExists = CanonicalStatus(rawValue: "ALREADY_EXISTS")
    package static let resourceExhausted = CanonicalStatus(rawValue: "RESOURCE_EXHAUSTED")
    package static let unimplemented = CanonicalStatus(rawValue: "UNIMPLEMENTED")
    package static let `internal` = CanonicalStatus(rawValue: "INTERNAL")
    package static let unavailable = CanonicalStatus(rawValue: "UNAVAILABLE")

    private static let numbers: [CanonicalStatus: (http: Int, rpc: Int)] = [
        .invalidArgument: (400, 3), .failedPrecondition: (400, 9), .unauthenticated: (401, 16),
        .permissionDenied: (403, 7), .notFound: (404, 5), .alreadyExists: (409, 6), .resourceExhausted: (429, 8),
        .unimplemented: (501, 12), .internal: (500, 13), .unavailable: (503, 14),
    ]

    /// Nil for a code that the server never gives.
    package init?(rpcCode: Int) {
        guard let found = Self.numbers.first(where: { $0.value.rpc == rpcCode }) else { return nil }
        self = found.key
    }

    package var httpStatus: Int { Self.numbers[self]?.http ?? 500 }
    package var rpcCode: Int { Self.numbers[self]?.rpc ?? 2 }
}

/// The body of every failed call: `{"error":{"code":…,"message":…,"status":…}}`.
package struct ErrorEnvelope: Codable, Sendable {
    package struct Detail: Codable, Sendable {
        /// The HTTP status.
        package var code: Int
        package var message: String
        package var status: String
        /// The exact errors, for programs; omitted when the message says everything.
        package var details: [BadRequestDetail]?

        package init(code: Int, message: String, status: String, details: [BadRequestDetail]? = nil) {
            self.code = code
            self.message = message
            self.status = status
            self.details = details
        }
    }

    package var error: Detail

    /// Makes the body of an error. `httpStatus` replaces the status of the kind when HTTP has a more precise one, such
    /// as 413.
    package init(
        _ status: CanonicalStatus, _ message: String, httpStatus: Int? = nil, details: [BadRequestDetail]? = nil
    ) {
        error = Detail(
            code: httpStatus ?? status.httpStatus, message: message, status: status.rawValue, details: details)
    }
}

/// `google.rpc.BadRequest`: which fields of a request are wrong, and why.
package struct BadRequestDetail: Codable, Sendable, Equatable {
    package struct FieldViolation: Codable, Sendable, Equatable {
        /// A path such as `state.published`, or the name of a query item.
        package var field: String
        /// What is wrong and what to do, in one line.
        package var description: String
        /// The name of the condition that is wrong, in a template that has several.
        package var condition: String?
        /// Where a condition's expression goes wrong: its first wrong character, counted from 1; one more than its length if
        /// it ends too early.
        package var column: Int?

        package init(field: String, description: String, condition: String? = nil, column: Int? = nil) {
            self.field = field
            self.description = description
            self.condition = condition
            self.column = column
        }
    }

    package var type: String
    package var fieldViolations: [FieldViolation]?

    package init(_ violations: [FieldViolation]) {
        type = "type.googleapis.com/google.rpc.BadRequest"
        fieldViolations = violations
    }

    enum CodingKeys: String, CodingKey {
        case type = "@type"
        case fieldViolations
    }
}

/// An error in an answer: `google.rpc.Status`, as in operations and in `validationError`.
public struct RPCStatus: Codable, Sendable, Equatable {
    /// The `google.rpc.Code`.
    public var code: Int?
    /// What is wrong, in one line.
    public var message: String

    package init(code: Int?, message: String) {
        self.code = code
        self.message = message
    }

    package init(_ status: CanonicalStatus, _ message: String) {
        self.init(code: status.rpcCode, message: message)
    }
}

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

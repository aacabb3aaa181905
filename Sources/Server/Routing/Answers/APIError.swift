package import HearthCatalog
package import HearthHTTP
import HearthIdentity
import HearthServing
import HearthStorage
package import HearthWire

/// A refused call, to be rendered as Google's error envelope.
package struct APIError: Error, CustomStringConvertible {
    package let status: CanonicalStatus
    package let message: String
    /// An HTTP status that replaces the usual one of `status`.
    package var httpStatus: Int?
    /// After how many seconds the caller may try again.
    package var retryAfterSeconds: Int?
    /// Which parts of the request are wrong.
    package var violations: [BadRequestDetail.FieldViolation] = []
    /// The error below this one; nil where there is none. No answer contains it.
    private(set) var cause: (any Error)?

    package init(_ status: CanonicalStatus, _ message: String, httpStatus: Int? = nil, cause: (any Error)? = nil) {
        self.status = status
        self.message = message
        self.httpStatus = httpStatus
        self.cause = cause
    }

    /// A shortage of the server ends when other requests do.
    private static let shortageRetrySeconds = 10

    /// To copy a server's records takes minutes.
    private static let readOnlyRetrySeconds = 60

    package static let notFound = APIError(.notFound, "Requested entity was not found.")
    package static let invalidArgument = APIError(.invalidArgument, "Request contains an invalid argument.")

    /// A request with a wrong part. The message is the one that existing tools compare; `description` says what is
    /// wrong and what to do.
    ///
    /// - Parameters:
    ///   - condition: the name of the condition that is wrong, in a template that has several.
    ///   - column: of the first wrong character of a condition, counted from 1.
    package static func invalid(
        _ field: String, _ description: String, message: String = APIError.invalidArgument.message,
        condition: String? = nil, column: Int? = nil, cause: (any Error)? = nil
    ) -> APIError {
        var error = APIError(.invalidArgument, message, cause: cause)
        error.violations = [
            .init(field: field, description: description, condition: condition, column: column)
        ]
        return error
    }

    /// For the log.
    package var description: String { message }

    var response: Response {
        let details = violations.isEmpty ? nil : [BadRequestDetail(violations)]
        let envelope = ErrorEnvelope(status, message, httpStatus: httpStatus, details: details)
        var response = Response.json((try? WireJSON.encode(envelope)) ?? [], status: envelope.error.code)
        response.headers["Retry-After"] = retryAfterSeconds.map(String.init)
        return response
    }

    /// Errors of other layers become answers only here. Details that do not concern the caller are only in the log.
    package init(_ error: any Error) {
        switch error {
        case let error as APIError:
            self = error
        case let error as StaleSnapshot:
            self.init(.unavailable, error.description, cause: error)
            retryAfterSeconds = StaleSnapshot.retryAfterSeconds
        case let error as CatalogError:
            self.init(Self.status(of: error), error.message, cause: error)
        case let error as RateLimiter.Refusal:
            self.init(.resourceExhausted, error.description, cause: error)
            retryAfterSeconds = error.retryAfterSeconds
        case let error as StorageError where error.code == .noSpace:
            self.init(.resourceExhausted, "The server's disk is full.", httpStatus: 507, cause: error)
        case let error as StorageError where error.code == .tooManyOpen:
            self.init(.unavailable, HTTPFault.tooManyOpenFiles.message, cause: error)
            retryAfterSeconds = Self.shortageRetrySeconds
        case let error as StorageError where error.code == .tooLarge:
            self.init(.invalidArgument, error.message, httpStatus: 413, cause: error)
        case let error as StorageError where error.code == .invalidText:
            self.init(.invalidArgument, error.message, cause: error)
        case let error as StorageError where error.code == .unavailable:
            self.init(.unavailable, "The server cannot reach its database or its store; try again.", cause: error)
            retryAfterSeconds = Self.shortageRetrySeconds
        case let error as StorageError where error.code == .locked:
            self.init(.unavailable, error.message, cause: error)
            retryAfterSeconds = Self.shortageRetrySeconds
        case let error as StorageError where error.code == .readOnly:
            self.init(.unavailable, error.message, cause: error)
            retryAfterSeconds = Self.readOnlyRetrySeconds
        default:
            self.init(.internal, "The server failed to do this; its log says why.", cause: error)
        }
    }

    package static func status(of error: CatalogError) -> CanonicalStatus {
        switch error.code {
        case .invalidArgument: .invalidArgument
        case .alreadyExists: .alreadyExists
        case .notFound: .notFound
        case .failedPrecondition: .failedPrecondition
        }
    }
}

/// A failure that ends by itself: the database or the store is away, or the records must not be changed.
package enum ServiceOutage {
    /// After how many seconds the caller may try again; nil for failures of other kinds.
    package static func retryAfterSeconds(of error: any Error) -> Int? {
        let refusal = APIError(error)
        return refusal.status == .unavailable ? refusal.retryAfterSeconds : nil
    }

    /// What to tell people if nothing is away, but nothing can be changed for a while; nil otherwise.
    package static func readOnlyText(of error: any Error) -> String? {
        let cause = (error as? APIError)?.cause ?? error
        guard let cause = cause as? StorageError, [.readOnly, .locked].contains(cause.code) else { return nil }
        return cause.message
    }
}

extension HTTPFault {
    /// Renders the HTTP engine's own refusals in the same envelope.
    package static let envelope: ErrorRenderer = { fault in
        let status: CanonicalStatus =
            switch fault.status {
            case 401: .unauthenticated
            case 403: .permissionDenied
            case 404: .notFound
            case 405, 501: .unimplemented
            case 429: .resourceExhausted
            case 503: .unavailable
            case 500...: .internal
            default: .invalidArgument
            }
        return APIError(status, fault.message, httpStatus: fault.status).response
    }
}

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

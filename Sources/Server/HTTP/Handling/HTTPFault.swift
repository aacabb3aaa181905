/// A refusal by the engine or the router. A renderer gives it the service's own form.
package struct HTTPFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// 400...599.
    package let status: Int
    /// What is wrong and what to do, in one line that peers may see.
    package let message: String

    package init(status: Int, message: String) {
        self.status = status
        self.message = message
    }

    package var description: String { message }

    static func badRequest(_ message: String) -> HTTPFault { HTTPFault(status: 400, message: message) }

    static func bodyTooLarge(limitBytes: UInt64) -> HTTPFault {
        HTTPFault(status: 413, message: "The request body is larger than the \(limitBytes) bytes accepted here.")
    }

    static let plainOnTLS = HTTPFault(
        status: 400, message: "This port speaks TLS, and the request came in plain HTTP; use https:// in the address.")
    static let tooManyOfClient = HTTPFault(
        status: 429,
        message: "Too many requests of this address are in progress; send it again when some of them have ended.")
    static let notFound = HTTPFault(status: 404, message: "There is nothing at this path.")
    static let methodNotAllowed = HTTPFault(status: 405, message: "This path does not take that method; see Allow.")
    static let internalError = HTTPFault(status: 500, message: "The server failed to answer; try again later.")
    /// A temporary shortage of the server.
    package static let tooManyOpenFiles = HTTPFault(
        status: 503, message: "The server has as many files open as it may; try again in a moment.")
    static let stopping = HTTPFault(status: 503, message: "The server is stopping; try again later.")
}

/// Gives a fault the form that a service's clients expect. Called on the server's threads.
package typealias ErrorRenderer = @Sendable (HTTPFault) -> Response

extension HTTPFault {
    /// The message as plain text.
    package static let plainText: ErrorRenderer = { fault in .text(fault.message + "\n", status: fault.status) }
}

extension HTTPFault {
    /// How long a peer should wait if the server, or the peer's share of it, is full.
    private static let retrySeconds = 5

    /// The fault in the service's form, with the time to wait if it is temporary.
    func refusal(_ errors: ErrorRenderer) -> Response {
        var response = errors(self)
        if status == 429 || status == 503 { response.headers["Retry-After"] = "\(Self.retrySeconds)" }
        return response
    }
}

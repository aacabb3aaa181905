package import HearthTransport

/// Why a call to the server has no answer. HTTP errors are answers.
package enum ClientError: Error {
    /// The caller cancelled it.
    case cancelled
    /// The deadline passed before an installation token arrived.
    case noTokenInTime
    /// An installation token cannot be obtained.
    case noToken(any Error)
    /// The server cannot be reached, or its answer was interrupted.
    case network(TransportError)
    /// A closure of the caller threw this.
    case stopped(any Error)

    /// The underlying error.
    package var cause: (any Error)? {
        switch self {
        case .cancelled, .noTokenInTime: nil
        case .noToken(let error), .stopped(let error): error
        case .network(let error): error
        }
    }

    init(_ error: TransportError) {
        switch (error.code, error.cause) {
        case (.cancelled, _): self = .cancelled
        case (.aborted, let cause?): self = .stopped(cause)
        default: self = .network(error)
        }
    }
}

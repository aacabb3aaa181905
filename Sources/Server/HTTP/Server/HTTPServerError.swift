internal import Glibc
import HearthConcurrency
import HearthErrors

/// Why a server did not start.
package struct HTTPServerError: DescribedError {
    package enum Code {
        /// The address is not a numeric IP address, or not one of this machine.
        case invalidAddress
        /// Another program listens on that port.
        case addressInUse
        /// Ports below 1024 need a privilege.
        case permissionDenied
        /// The certificate or key was refused.
        case invalidTLS
        /// A limit is out of its range.
        case invalidLimits
        /// `start()` was called before.
        case alreadyStarted
        /// Descriptors, memory or threads ran out.
        case resourcesExhausted
    }

    package let code: Code
    /// What is wrong and what to do, in one line.
    package let message: String

    /// The error for `errno` after `socket`, `bind` or `listen`.
    static func listening(on place: String, errno code: Int32) -> HTTPServerError {
        switch code {
        case EADDRINUSE:
            HTTPServerError(
                code: .addressInUse, message: "Another program listens on \(place); stop it or choose another port.")
        case EACCES, EPERM:
            HTTPServerError(
                code: .permissionDenied, message: "Listening on \(place) is not permitted; choose a port above 1023.")
        case EADDRNOTAVAIL, EAFNOSUPPORT, EINVAL:
            HTTPServerError(
                code: .invalidAddress, message: "\(place) is not an address of this machine; choose one that is.")
        default:
            HTTPServerError(
                code: .resourcesExhausted, message: "Cannot listen on \(place): \(String(cString: strerror(code))).")
        }
    }
}

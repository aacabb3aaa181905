internal import Glibc

/// Why a server did not start.
public struct HTTPServerError: Error, Sendable, CustomStringConvertible {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The address is not a numeric IP address, or not one of this machine.
        public static let invalidAddress = Code(rawValue: "invalidAddress")
        /// Another program listens there.
        public static let addressInUse = Code(rawValue: "addressInUse")
        /// Ports below 1024 are not for everybody.
        public static let permissionDenied = Code(rawValue: "permissionDenied")
        /// The certificate or key was refused.
        public static let invalidTLS = Code(rawValue: "invalidTLS")
        /// A limit is out of its range.
        public static let invalidLimits = Code(rawValue: "invalidLimits")
        /// `start()` was called before.
        public static let alreadyStarted = Code(rawValue: "alreadyStarted")
        /// Descriptors, memory or threads ran out.
        public static let resourcesExhausted = Code(rawValue: "resourcesExhausted")
    }

    public let code: Code
    /// What is wrong and what to do, in one line.
    public let message: String

    public var description: String { message }

    /// The meaning of `errno` after `socket`, `bind` or `listen`.
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

import COpenSSL

/// What went wrong in a cryptographic call. Never contains key material, tokens or signatures.
package struct CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure, for callers that branch on it.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The text is not a key that can be read: damaged, encrypted, or of another form.
        package static let malformedKey = Code(rawValue: "malformedKey")
        /// The key is readable but not one that is accepted here: not RSA, too short or too long.
        package static let unsupportedKey = Code(rawValue: "unsupportedKey")
        /// The text is not a JSON Web Token in compact form.
        package static let malformedToken = Code(rawValue: "malformedToken")
        /// The input is longer than the limit that the caller or this library sets.
        package static let tooLarge = Code(rawValue: "tooLarge")
        /// OpenSSL refused an operation that should work, for example for want of memory.
        package static let libraryFailure = Code(rawValue: "libraryFailure")
    }

    package let code: Code
    /// One line: what is wrong and what to do.
    package let message: String

    package var description: String { message }

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension CryptoError {
    /// The one place where OpenSSL's error queue becomes an error. Empties this thread's queue, so that
    /// no later call reports an old failure. Wraps `ERR_get_error` and `ERR_reason_error_string`.
    ///
    /// Only the reason is taken: the optional data of a queue entry may quote the input.
    static func fromOpenSSL(_ code: Code, _ message: String) -> CryptoError {
        let first = ERR_get_error()
        ERR_clear_error()
        guard first != 0, let reason = ERR_reason_error_string(first) else {
            return CryptoError(code, message)
        }
        return CryptoError(code, "\(message) (OpenSSL: \(String(cString: reason)))")
    }

    /// For calls that fail only when memory is exhausted or OpenSSL is installed without its default
    /// provider: no caller can go on, and hashing must not return something that is no hash.
    static func stop(_ operation: String) -> Never {
        fatalError(fromOpenSSL(.libraryFailure, "\(operation) failed").message)
    }
}

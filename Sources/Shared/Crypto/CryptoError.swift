import COpenSSL
import HearthErrors

/// A failure of a cryptographic operation. Never contains key material, tokens or signatures.
package struct CryptoError: DescribedError, Hashable {
    /// The kind of failure, for callers that branch on it.
    package enum Code {
        /// The text is not a readable key: it is damaged, encrypted, or has another form.
        case malformedKey
        /// The key is readable but not accepted: not RSA, too short or too long.
        case unsupportedKey
        /// The text is not a JSON Web Token in compact form.
        case malformedToken
        /// The input exceeds a limit of the caller or of this library.
        case tooLarge
        /// OpenSSL refused an operation that should work, for example because memory ran out.
        case libraryFailure
    }

    package let code: Code
    /// One line: what is wrong and what to do.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension CryptoError {
    /// OpenSSL's error queue becomes an error only here. Empties this thread's queue, so that no later call reports an
    /// old failure. Wraps `ERR_get_error` and `ERR_reason_error_string`.
    ///
    /// Uses the reason only, because the optional data of a queue entry may quote the input.
    static func fromOpenSSL(_ code: Code, _ message: String) -> CryptoError {
        let first = ERR_get_error()
        ERR_clear_error()
        guard first != 0, let reason = ERR_reason_error_string(first) else {
            return CryptoError(code, message)
        }
        return CryptoError(code, "\(message) (OpenSSL: \(String(cString: reason)))")
    }

    /// Stops the process. For calls that fail only when memory is exhausted or OpenSSL is installed without its default
    /// provider: no caller can continue, and hashing must not return a wrong digest.
    static func stop(_ operation: String) -> Never {
        fatalError(fromOpenSSL(.libraryFailure, "\(operation) failed").message)
    }
}

import HearthErrors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Why a file operation failed.
package struct FileError: DescribedError {
    /// The kind of a `FileError`.
    package enum Code {
        case notFound
        case exists
        case noSpace
        case notPermitted
        /// The process or the machine has the most open files that it may have.
        case tooManyOpen
        /// More bytes arrived than the limit or the announced length allows.
        case tooLarge
        /// The bytes are not the expected ones: length or hash differs.
        case mismatch
        /// Another process holds it for longer than the caller would wait.
        case busy
        /// A newer version of the software wrote it, in a form that this one does not know.
        case incompatible
        case io
    }

    package let code: Code
    /// One line: what was tried, on which file, and the system's reason.
    package let message: String
    /// The system's own number of the failure; nil where the system refused nothing.
    package let errno: Int32?
    /// The error below this one, where there is one.
    package let cause: (any Error)?

    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.init(code, message, errno: nil, cause: cause)
    }

    private init(_ code: Code, _ message: String, errno: Int32?, cause: (any Error)?) {
        self.code = code
        self.message = message
        self.errno = errno
        self.cause = cause
    }

    /// The system's reason alone; the whole message where there is none.
    package var reason: String { errno.map { String(cString: strerror($0)) } ?? message }

    /// An `errno` becomes a `FileError` only here.
    static func system(_ operation: String, _ path: String, errno number: Int32) -> FileError {
        let code: Code =
            switch number {
            case ENOENT, ENOTDIR: .notFound
            case EEXIST: .exists
            case ENOSPC, EDQUOT, EFBIG: .noSpace
            case EACCES, EPERM, EROFS: .notPermitted
            case EMFILE, ENFILE: .tooManyOpen
            default: .io
            }
        return FileError(
            code, "Cannot \(operation) \(path): \(String(cString: strerror(number)))", errno: number, cause: nil)
    }
}

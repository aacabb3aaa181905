import HearthErrors
package import HearthFiles

/// A failure of the storage, with a correct request of the caller.
package struct StorageError: DescribedError {
    package enum Code {
        /// A unique value is taken.
        case conflict
        case notFound
        case noSpace
        /// The process or the machine has the most open files that it may have.
        case tooManyOpen
        case tooLarge
        /// A text contains a character that the database cannot store.
        case invalidText
        /// The database or the store cannot be reached, or does not answer in time. Nothing is lost; a later call may
        /// succeed.
        case unavailable
        /// Somebody who is no server has a lock in the database that the call needs.
        case locked
        /// The records must not be changed for a while: an operator, or a copy of them, has said so.
        case readOnly
        /// The store contains invalid data: a wrong schema, a damaged file.
        case corrupt
        /// An earlier Hearth wrote it, and this program must not upgrade it.
        case older
        /// A newer Hearth wrote it, in a form that this one does not know.
        case newer
        case io
    }

    package let code: Code
    package let message: String
    /// The error below this one, where there is one.
    package let cause: (any Error)?

    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

extension StorageError {
    /// File errors become storage errors only here.
    package init(_ error: FileError) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .noSpace: .noSpace
            case .tooManyOpen: .tooManyOpen
            case .tooLarge: .tooLarge
            case .mismatch: .corrupt
            default: .io
            }
        self.init(code, error.message, cause: error)
    }

    /// Runs `body`, whose errors become storage errors.
    package static func wrapping<Result>(
        _ body: () throws(FileError) -> Result
    ) throws(StorageError) -> Result {
        do throws(FileError) { return try body() } catch { throw StorageError(error) }
    }
}

import HearthErrors
import HearthFiles
import HearthStorage

/// Why a backup was not made or not restored.
package struct BackupError: DescribedError {
    /// The kind of a `BackupError`.
    package enum Code {
        /// There is no data folder of a server, or no complete backup.
        case notFound
        /// Something exists in the place of the result.
        case exists
        /// The copy would be inside the folder that it is a copy of.
        case insideData
        /// Another program is working there.
        case busy
        /// Something is missing, or differs from what was recorded.
        case damaged
        /// A newer Hearth wrote it.
        case incompatible
        /// The disk of the result is full.
        case noSpace
        case io
    }

    package let code: Code
    /// What is wrong and what to do, in one line.
    package let message: String
    /// The error below this one, where there is one.
    package let cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

/// Adds to the error of a full disk which disk it is. SQLite's errors and the names of single files do not say so.
enum DiskFullError {
    /// - Parameter result: what `body` writes.
    static func naming<Value>(_ result: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as FileError where error.code == .noSpace {
            throw full(result, error)
        } catch let error as StorageError where error.code == .noSpace {
            throw full(result, error)
        }
    }

    private static func full(_ result: String, _ cause: any Error) -> BackupError {
        BackupError(
            .noSpace, "The disk of \(result) is full. Free space, or choose another place; nothing was left there.",
            cause: cause)
    }
}

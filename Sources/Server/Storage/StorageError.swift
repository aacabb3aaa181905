/// The storage failed; the caller's request was fine.
package struct StorageError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// A unique value is taken.
        case conflict
        case notFound
        case noSpace
        /// The process, or the machine, has as many files open as it may.
        case tooManyOpen
        case tooLarge
        /// The store holds something that cannot be: wrong schema, damaged file.
        case corrupt
        /// A newer Hearth wrote it, in a form that this one does not know.
        case newer
        case io
    }

    package let code: Code
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}

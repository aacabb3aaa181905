/// A failure of the storage, with a correct request of the caller.
package struct StorageError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// A unique value is taken.
        case conflict
        case notFound
        case noSpace
        /// The process or the machine has the most open files that it may have.
        case tooManyOpen
        case tooLarge
        /// The store contains invalid data: a wrong schema, a damaged file.
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

/// The storage failed; the caller's request was fine.
public struct StorageError: Error, Sendable, CustomStringConvertible {
    public enum Code: Sendable {
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

    public let code: Code
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}

/// A refused state change. The texts are the ones that existing admin tools and their tests know.
public struct CatalogError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: Sendable, Hashable {
        case invalidArgument
        case alreadyExists
        case notFound
        case failedPrecondition
    }

    public let code: Code
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}

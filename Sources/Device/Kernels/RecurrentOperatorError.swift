public import Foundation

/// Why an operator with state could not be prepared or run. The text is one plain line.
public struct RecurrentOperatorError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The kind of refusal. Open for new kinds: switch with a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The input's shape does not fit the weights or the state.
        public static let shapeMismatch = Code(rawValue: "shapeMismatch")
        /// A buffer is not as long as its shape says, or starts at an address that its elements cannot have.
        public static let bufferMismatch = Code(rawValue: "bufferMismatch")
        /// `run` was called before `prepare` succeeded.
        public static let notPrepared = Code(rawValue: "notPrepared")
        /// The shape needs more memory than there is.
        public static let tooLarge = Code(rawValue: "tooLarge")
    }

    public let code: Code
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
    public var errorDescription: String? { message }
}

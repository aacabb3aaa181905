public import Foundation

/// Why an image could not be drawn on.
public struct DrawingError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure. New kinds may be added: use a `default` in a switch.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a kind with this name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The font file that the style or the environment names does not exist.
        public static let fontNotFound = Code(rawValue: "fontNotFound")
        /// The file that the style or the environment names is not a font file, or has no scalable outlines.
        public static let fontUnusable = Code(rawValue: "fontUnusable")
        /// There was not enough memory for the result.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
    }

    /// The kind of failure.
    public let code: Code

    /// What is wrong and what to do, on one line.
    public let message: String

    /// The error below this one, such as that of a file operation; nil where there is none.
    public let cause: (any Error)?

    /// Creates an error.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// Whether kind and text are the same; causes are not compared.
    public static func == (left: DrawingError, right: DrawingError) -> Bool {
        left.code == right.code && left.message == right.message
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }

    /// The error as text: ``message``.
    public var description: String { message }
    /// What `localizedDescription` returns: ``message``.
    public var errorDescription: String? { message }
}

public import Foundation

/// Why nothing could be drawn.
public struct DrawingError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure. More kinds may be added: keep a default branch.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no font file where the style or the environment says.
        public static let fontNotFound = Code(rawValue: "fontNotFound")
        /// The font file that the style or the environment names is none, or has no scalable outlines.
        public static let fontUnusable = Code(rawValue: "fontUnusable")
        /// The memory for the result could not be had.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
    }

    public let code: Code

    /// What is wrong and what to do, in one line.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
    public var errorDescription: String? { message }
}

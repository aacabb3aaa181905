public import Foundation

/// Why there is no ``TestDevice``.
public struct TestDeviceError: LocalizedError, Sendable, CustomStringConvertible {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is an app of that name already.
        public static let appExists = Code(rawValue: "appExists")
        /// The name is empty, or has characters that names of apps cannot have.
        public static let badName = Code(rawValue: "badName")
        /// No temporary folder could be made.
        public static let noFolder = Code(rawValue: "noFolder")
    }

    public let code: Code
    /// One line: what is wrong and what to do.
    public let message: String

    public var description: String { message }
    public var errorDescription: String? { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

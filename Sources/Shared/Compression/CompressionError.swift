/// Why compressed bytes were refused. The text is one plain line.
public struct CompressionError: Error, Sendable, Equatable, CustomStringConvertible {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The compressed bytes are damaged, cut short, or followed by something that is not theirs.
        public static let malformed = Code(rawValue: "malformed")
        /// The output would be longer than the caller allows.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// zlib could not get memory.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
    }

    public let code: Code
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}

/// Why a template is refused.
public struct TemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Machine-readable, as Firebase names them; more may come.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let duplicateKey = Code(rawValue: "DUPLICATE_KEY")
        public static let malformed = Code(rawValue: "MALFORMED_TEMPLATE")
        public static let unknownField = Code(rawValue: "UNKNOWN_FIELD")
        public static let invalidKey = Code(rawValue: "INVALID_KEY")
        public static let unknownCondition = Code(rawValue: "UNKNOWN_CONDITION_REFERENCE")
        public static let invalidCondition = Code(rawValue: "INVALID_CONDITION")
        public static let valueTypeMismatch = Code(rawValue: "PARAM_VALUE_TYPE_MISMATCH")
        public static let invalidDefault = Code(rawValue: "INVALID_DEFAULT_PARAM_VALUE")
        public static let unsupportedValue = Code(rawValue: "UNSUPPORTED_PARAM_VALUE")
        public static let limitExceeded = Code(rawValue: "LIMIT_EXCEEDED")
    }

    public let code: Code
    /// Where in the template, such as `parameters.colour.conditionalValues.beta`.
    public let path: String
    /// What is wrong there and what is expected, in one line.
    public let message: String

    public var description: String {
        "[VALIDATION_ERROR]: \(code.rawValue): " + (path.isEmpty ? message : "\(path): \(message)")
    }
}

package import HearthTargeting

/// Why a template is refused.
package struct TemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Machine-readable, with Firebase's names. More codes may be added.
    package struct Code: RawRepresentable, Sendable, Hashable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package static let duplicateKey = Code(rawValue: "DUPLICATE_KEY")
        package static let malformed = Code(rawValue: "MALFORMED_TEMPLATE")
        package static let unknownField = Code(rawValue: "UNKNOWN_FIELD")
        package static let invalidKey = Code(rawValue: "INVALID_KEY")
        package static let unknownCondition = Code(rawValue: "UNKNOWN_CONDITION_REFERENCE")
        package static let invalidCondition = Code(rawValue: "INVALID_CONDITION")
        package static let valueTypeMismatch = Code(rawValue: "PARAM_VALUE_TYPE_MISMATCH")
        package static let invalidDefault = Code(rawValue: "INVALID_DEFAULT_PARAM_VALUE")
        package static let unsupportedValue = Code(rawValue: "UNSUPPORTED_PARAM_VALUE")
        package static let limitExceeded = Code(rawValue: "LIMIT_EXCEEDED")
    }

    package let code: Code
    /// The path in the template, such as `parameters.colour.conditionalValues.beta`.
    package let path: String
    /// What is wrong there and what is expected, in one line.
    package let message: String
    /// The name of the condition that is wrong, if one is.
    package let condition: String?
    /// Where the expression of the condition goes wrong, if that is the reason.
    package let syntaxError: ConditionSyntaxError?

    init(
        code: Code, path: String, message: String, condition: String? = nil, syntaxError: ConditionSyntaxError? = nil
    ) {
        self.code = code
        self.path = path
        self.message = message
        self.condition = condition
        self.syntaxError = syntaxError
    }

    package var description: String {
        "[VALIDATION_ERROR]: \(code.rawValue): " + (path.isEmpty ? message : "\(path): \(message)")
    }
}

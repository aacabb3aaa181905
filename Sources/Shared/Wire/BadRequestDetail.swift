/// `google.rpc.BadRequest`: which fields of a request are wrong, and why.
package struct BadRequestDetail: Codable, Sendable, Equatable {
    package struct FieldViolation: Codable, Sendable, Equatable {
        /// A path such as `state.published`, or the name of a query item.
        package var field: String
        /// What is wrong and what to do, in one line.
        package var description: String
        /// The name of the condition that is wrong, in a template that has several.
        package var condition: String?
        /// Where a condition's expression goes wrong: its first wrong character, counted from 1; one more than its length if
        /// it ends too early.
        package var column: Int?

        package init(field: String, description: String, condition: String? = nil, column: Int? = nil) {
            self.field = field
            self.description = description
            self.condition = condition
            self.column = column
        }
    }

    package var type: String
    package var fieldViolations: [FieldViolation]?

    package init(_ violations: [FieldViolation]) {
        type = "type.googleapis.com/google.rpc.BadRequest"
        fieldViolations = violations
    }

    enum CodingKeys: String, CodingKey {
        case type = "@type"
        case fieldViolations
    }
}

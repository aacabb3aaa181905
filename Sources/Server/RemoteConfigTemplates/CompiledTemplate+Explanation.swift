package import HearthTargeting

extension CompiledTemplate {
    /// The values of one device, and why it gets these.
    package struct Explanation: Sendable {
        /// A value that a template gives a parameter.
        package struct Choice: Sendable {
            package enum Kind: Sendable {
                /// A text, or the app's own default.
                case plain
                case rollout(id: String)
                /// With the device's variant; nil for a device that does not take part.
                case experiment(id: String, variant: String?)
                case personalization
            }

            /// The name of the value's condition; nil for the default.
            package let condition: String?
            package let kind: Kind
        }

        package struct Parameter: Sendable {
            package let key: String
            /// The value that applies.
            package let choice: Choice
            /// The values before it whose condition holds. They do not apply to the device.
            package let skipped: [Choice]
            /// The names of the conditions before it that do not hold.
            package let failed: [String]
        }

        package struct Condition: Sendable {
            package let name: String
            /// Nil for a condition above the limits.
            package let expression: String?
            package let finding: ConditionFinding
        }

        package let resolution: Resolution
        /// All, in the order of their keys.
        package let parameters: [Parameter]
        /// All, in order of priority.
        package let conditions: [Condition]
    }
}

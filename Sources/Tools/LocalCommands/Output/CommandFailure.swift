import HearthArguments

/// A command's failure as one line: what is wrong and what to do.
package struct CommandFailure: CodedError, CustomStringConvertible {
    package let description: String
    package let code: String

    /// - Parameter code: for programs; see ``CodedError``.
    package init(_ description: String, code: String = "FAILED") {
        self.description = description
        self.code = code
    }
}

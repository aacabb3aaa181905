/// A question that nobody was there to answer, and that an option answers beforehand: the program ends with
/// ``ExitCode/validationFailure``, as the option was missing. The text says which one, so that no usage is shown.
package struct UnansweredQuestion: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// What could not be taken from Firebase, although the rest could.
package struct FetchProblem: Codable, Hashable, Sendable {
    /// A model's name, or the name of another part.
    package var subject: String
    /// Why, and what to do.
    package var reason: String

    package init(_ subject: String, _ reason: String) {
        self.subject = subject
        self.reason = reason
    }

    /// A problem in the console's command.
    package init(pasted problem: String) { self.init("the command", problem) }

    init(_ subject: String, _ error: FirebaseError) { self.init(subject, error.message) }
}

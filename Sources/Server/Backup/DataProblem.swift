/// A problem in a data folder.
package struct DataProblem: Sendable, Hashable, Codable {
    /// `database`, `record`, `file`, `secret` or `access`.
    package var kind: String
    /// What the problem is about: a file, or a record by its name in admin calls.
    package var subject: String
    /// What is wrong, in one line.
    package var text: String
    /// What to do, in one line.
    package var remedy: String

    /// For a model file that is damaged or missing.
    static let fileRemedy = """
        Push the file again (hearth models push NAME FILE --again), or run verify with --repair and the folder of a backup or of \
        a server.
        """

    /// The problem of a file that has a right copy somewhere.
    func unreplaced(because cause: any Error) -> DataProblem {
        DataProblem(
            kind, subject, "\(text), and could not be replaced: \(cause)",
            remedy: "Remove what is in the way. Then run verify with --repair again, as the user who owns the files.")
    }

    init(_ kind: String, _ subject: String, _ text: String, remedy: String) {
        self.kind = kind
        self.subject = subject
        self.text = text
        self.remedy = remedy
    }
}

/// Something in a data folder that should not be.
public struct Problem: Sendable, Hashable, Codable {
    /// `database`, `record`, `file`, `secret` or `access`.
    public var kind: String
    /// What it is about: a file, or a record as admin calls name it.
    public var subject: String
    /// What is wrong, in one line.
    public var text: String
    /// What to do, in one line.
    public var remedy: String

    init(_ kind: String, _ subject: String, _ text: String, remedy: String) {
        self.kind = kind
        self.subject = subject
        self.text = text
        self.remedy = remedy
    }
}

/// Service accounts by the name that they were made with, in the place of an email address that nobody can write to.
enum AccountName {
    private static let ending = ".iam.hearth.invalid"

    /// `ci` for an account of this project, `ci@other` for one of another; other texts, such as `token:ab12`, as they are.
    static func short(_ text: String, project: String?) -> String {
        guard text.hasSuffix(ending) else { return text }
        let name = text.dropLast(ending.count)
        guard let project, name.hasSuffix("@\(project)") else { return String(name) }
        return String(name.dropLast(project.count + 1))
    }

    /// The email address of the account that `short` shows so; an address as it is.
    static func email(_ text: String, project: String) -> String {
        guard let at = text.lastIndex(of: "@") else { return "\(text)@\(project)\(ending)" }
        // A project's id has no dot, any other address has one behind its `@`.
        return text[at...].contains(".") ? text : text + ending
    }
}

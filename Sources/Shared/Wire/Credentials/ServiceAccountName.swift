/// The names of service accounts, and their email addresses.
package enum ServiceAccountName {
    /// The domain never resolves, so no mail can be sent to the address.
    private static let ending = ".iam.hearth.invalid"

    /// Whether the name is valid: `[a-z][a-z0-9-]{0,29}`.
    package static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return (1...30).contains(bytes.count) && isLower(bytes[0])
            && bytes.allSatisfy { isLower($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    /// The address of the account `name` of a project; `name@other` is an account of another project, and an address
    /// stays as it is.
    package static func email(_ name: String, project: String) -> String {
        guard let at = name.lastIndex(of: "@") else { return "\(name)@\(project)\(ending)" }
        // A project's id has no dot; an address has one after its `@`.
        return name[at...].contains(".") ? name : name + ending
    }

    /// The short name: `ci` for an account of this project, `ci@other` for one of another project; other texts, such as
    /// `token:ab12`, stay as they are.
    package static func short(_ text: String, project: String?) -> String {
        guard text.hasSuffix(ending) else { return text }
        let name = text.dropLast(ending.count)
        guard let project, name.hasSuffix("@\(project)") else { return String(name) }
        return String(name.dropLast(project.count + 1))
    }
}

package import HearthArguments

/// Old names of environment variables. A command that would have read one refuses it.
package enum RenamedVariables {
    /// Old names, each with its new name.
    static let names = ["HEARTH_CONFIG": "HEARTH_APP_CONFIG"]

    /// - Throws: a usage error if the environment has an old name with a value.
    package static func check(_ environment: [String: String]) throws(ValidationError) {
        for (old, new) in names where !(environment[old] ?? "").isEmpty {
            throw ValidationError("'\(old)' is now '\(new)'.")
        }
    }
}

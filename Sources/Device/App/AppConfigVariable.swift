/// The environment variable that names an app's `GoogleService-Info.plist`.
package enum AppConfigVariable {
    package static let name = "HEARTH_APP_CONFIG"
    /// Its name in earlier versions, which works on where the present one is not set.
    package static let formerName = "HEARTH_CONFIG"

    /// The file that the environment names; an empty value names none.
    package static func path(_ environment: [String: String]) -> String? {
        [name, formerName].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }

    /// Whether only the former name says which file.
    package static func isFormer(_ environment: [String: String]) -> Bool {
        (environment[name] ?? "").isEmpty && path(environment) != nil
    }
}

import Foundation
import HearthFiles

/// Finds the default options. Takes the environment as a parameter, so that tests need not change that of the process.
struct OptionsSource {
    let environment: [String: String]

    func options() -> FirebaseOptions? {
        let found = fileOrEnvironmentOptions()
        if let url = environment["HEARTH_SERVER_URL"] { found?.serverURL = url }
        if let proxy = environment["HEARTH_PROXY"] { found?.proxyURL = proxy }
        if let file = environment["HEARTH_CA_FILE"] { found?.caFile = file }
        return found
    }

    /// If the environment names a file, only that file counts: the options of another project in its place would remain
    /// unnoticed.
    private func fileOrEnvironmentOptions() -> FirebaseOptions? {
        if let path = ConfigFileVariable.path(environment) { return FirebaseOptions(contentsOfFile: path) }
        if let complaint = ConfigFileVariable.complaint(environment) {
            AppLog.core.error("I-COR000014", complaint)
            return nil
        }
        return fromBundle() ?? fromEnvironment()
    }

    private func fromBundle() -> FirebaseOptions? {
        Bundle.main.path(forResource: "GoogleService-Info", ofType: "plist")
            .flatMap { FirebaseOptions(contentsOfFile: $0) }
    }

    private func fromEnvironment() -> FirebaseOptions? {
        FirebaseOptions { key in
            environment[key.hasPrefix("HEARTH_") ? key : "HEARTH_" + key]
        }
    }
}

/// The environment variable that names an app's `GoogleService-Info.plist`.
package enum ConfigFileVariable {
    package static let name = "HEARTH_APP_CONFIG"
    private static let oldName = "HEARTH_CONFIG"

    /// The file that the environment names. An empty value counts as not set.
    package static func path(_ environment: [String: String]) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What is wrong where the environment has only the variable's old name; nil where it does not.
    static func complaint(_ environment: [String: String]) -> String? {
        guard path(environment) == nil, environment[oldName]?.isEmpty == false else { return nil }
        return "'\(oldName)' is now '\(name)'."
    }
}

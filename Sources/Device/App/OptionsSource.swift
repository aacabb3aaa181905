import Foundation

/// Where default options come from; the environment is passed in so that tests need not change the process's.
struct OptionsSource {
    let environment: [String: String]

    func options() -> FirebaseOptions? {
        let found = namedOrFound()
        if let url = environment["HEARTH_SERVER_URL"] { found?.serverURL = url }
        if let proxy = environment["HEARTH_PROXY"] { found?.proxyURL = proxy }
        if let file = environment["HEARTH_CA_FILE"] { found?.caFile = file }
        return found
    }

    /// Who names a file means it: another project's options in its place would go unnoticed.
    private func namedOrFound() -> FirebaseOptions? {
        if let path = AppConfigVariable.path(environment) { return FirebaseOptions(contentsOfFile: path) }
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

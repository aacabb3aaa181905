import HearthArguments
import HearthLocalCommands
import HearthWire

/// Which app a file with a key is for, where the key is for several.
struct AppIDOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Bundle id or package name of the app that the file is for. Needed when the key is for several.",
            valueName: "id"))
    var bundleID: String?

    /// The bundle id for the file; nil for a key that any app may use.
    ///
    /// - Parameter known: what an older file for the app says.
    func choice(_ key: KeyBodies.APIKey, known: String? = nil) throws -> String? {
        let allowed = key.bundleIds ?? []
        let known = known.flatMap { allowed.isEmpty || allowed.contains($0) ? $0 : nil }
        let chosen = bundleID ?? known ?? (allowed.count == 1 ? allowed[0] : nil)
        let list = allowed.joined(separator: ", ")
        if let chosen, !allowed.isEmpty, !allowed.contains(chosen) {
            throw ValidationError("The API key \(key.id) is not for '\(chosen)' but for \(list).".printable)
        }
        guard chosen != nil || allowed.isEmpty else {
            throw ValidationError("The API key \(key.id) is for \(list): say whose file this is with --bundle-id.")
        }
        return chosen
    }
}

import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

/// Where a new API key goes: into the file that is built into apps, or onto the screen.
struct APIKeyReport {
    let client: AdminClient
    let admin: AdminOptions
    /// Checked before the key was made.
    let file: SecretFile?

    init(client: AdminClient, admin: AdminOptions, output: String?) throws {
        self.client = client
        self.admin = admin
        file = try output.map { try SecretFile($0) }
    }

    /// - Parameters:
    ///   - bundleID: the app's own, for the file; nil for the key's.
    ///   - remedy: what to do if the file could not be written; nil for a new key, which is then lost.
    func print(
        _ key: KeyBodies.APIKey, _ verb: String, bundleID: String? = nil, otherwise remedy: String? = nil
    ) throws {
        if let file {
            let project = try client.project(client.project())
            let bytes = try CredentialsFile.app(key, project: project, bundleID: bundleID, url: client.url)
            guard let bytes else { throw CommandFailure("The server's answer has no key.") }
            try file.write(bytes, otherwise: remedy ?? "The key is lost; revoke it: hearth keys api revoke \(key.id)")
            // With `-` the file itself is the output.
            guard let path = file.path else { return }
            if !admin.json { return Output.success("\(verb) the API key \(key.id) of \(key.appId) in \(path).") }
            var shown = key
            shown.key = nil
            return try Output.json(shown)
        }
        if admin.json { return try Output.json(key) }
        Output.success("\(verb) the API key \(key.id) of \(key.appId). The server shows it only once:")
        Output.line(key.key ?? "")
    }
}

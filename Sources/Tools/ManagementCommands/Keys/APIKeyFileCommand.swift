import Foundation
import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct APIKeyFileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plist",
        renamed: ["--out": "--output"],
        abstract: "Write the GoogleService-Info.plist of an API key again, with the server's present address.",
        discussion: "The server does not store the key itself, so give it: in an older file, or with --key.",
        examples: [
            "hearth keys api plist --from GoogleService-Info.plist --output GoogleService-Info.plist.new",
            "hearth keys api plist --key - --output GoogleService-Info.plist < api-key.txt",
        ])

    @Option(help: ArgumentHelp("Older GoogleService-Info.plist with the key.", valueName: "file"))
    var from: String?

    @Option(help: ArgumentHelp("The key; - reads it from standard input.", valueName: "key"))
    var key: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("File to write. It must not exist; - prints it.", valueName: "file"))
    var output: String?

    @OptionGroup var app: AppIDOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard (from == nil) != (key == nil) else {
            throw ValidationError("Give the key: --from FILE with an older file, --key KEY, or --key - to read it.")
        }
        guard output != nil else {
            throw ValidationError("Name the file to write: --output FILE, or --output - to print it.")
        }
    }

    func run() throws {
        let old = try from.map { try OldFile($0) }
        let secret = try old?.key ?? typedKey()
        let client = try admin.client()
        let report = try APIKeyReport(client: client, admin: admin, output: output)
        var found = try client.lookUpAPIKey(secret)
        if KeyTables.state(found.endTime, now: .now) == "ended" {
            throw CommandFailure(
                "The API key \(found.id) was revoked or has expired: apps with this key get nothing any more.")
        }
        let bundleID = try app.choice(found, known: old?.bundleID)
        found.key = secret
        try report.print(found, "Wrote", bundleID: bundleID, otherwise: "The key itself stays valid.")
    }

    private func typedKey() throws(CommandFailure) -> String {
        let text = key == "-" ? readLine() : key
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else {
            throw CommandFailure("There is no API key on standard input.")
        }
        return text
    }

    /// What the new file takes from an older one.
    private struct OldFile {
        let key: String
        let bundleID: String?

        init(_ path: String) throws(CommandFailure) {
            let data = Data(try InputFile.read(path))
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
            guard let key = list?[CredentialsFile.apiKeyKey] as? String, !key.isEmpty else {
                throw CommandFailure("\(path) is not a GoogleService-Info.plist with an API_KEY.")
            }
            self.key = key
            bundleID = list?[CredentialsFile.bundleIDKey] as? String
        }
    }
}

/// The app that a file with a key is for, if the key is for several.
struct AppIDOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Bundle id or package name of the app that the file is for. Required if the key is for several apps.",
            valueName: "id"))
    var bundleID: String?

    /// The bundle id for the file; nil for a key that any app may use.
    ///
    /// - Parameter known: the bundle id in an older file for the app.
    func choice(_ key: KeyBodies.APIKey, known: String? = nil) throws -> String? {
        let allowed = key.bundleIds ?? []
        let known = known.flatMap { allowed.isEmpty || allowed.contains($0) ? $0 : nil }
        let chosen = bundleID ?? known ?? (allowed.count == 1 ? allowed[0] : nil)
        let list = allowed.joined(separator: ", ")
        if let chosen, !allowed.isEmpty, !allowed.contains(chosen) {
            throw ValidationError("The API key \(key.id) is not for '\(chosen)' but for \(list).".printable)
        }
        guard chosen != nil || allowed.isEmpty else {
            throw ValidationError("The API key \(key.id) is for \(list): choose one with --bundle-id.")
        }
        return chosen
    }
}

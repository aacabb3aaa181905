import Foundation
import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthWire

struct APIKeyFileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plist",
        abstract: "Write the GoogleService-Info.plist of a key that you have, with the server's present address.",
        discussion: "The server keeps no keys, so it must be given: in an older file, or by itself.",
        examples: [
            "hearth keys api plist --from GoogleService-Info.plist --output GoogleService-Info.plist.new",
            "hearth keys api plist --key - --output GoogleService-Info.plist < api-key.txt",
        ])

    @Option(help: ArgumentHelp("GoogleService-Info.plist that has the key.", valueName: "file"))
    var from: String?

    @Option(help: ArgumentHelp("The key itself; - reads it from standard input.", valueName: "key"))
    var key: String?

    @Option(
        name: [.short, .long, .former("out")],
        help: ArgumentHelp("File to write, which must not exist; - prints it.", valueName: "file"))
    var output: String?

    @OptionGroup var app: AppIDOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard (from == nil) != (key == nil) else {
            throw ValidationError("Give the key: --from FILE with an older file, --key KEY, or --key - to read it.")
        }
        guard output != nil else {
            throw ValidationError("Say where the file goes: --output FILE, or --output - to print it.")
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
                "The API key \(found.id) has been revoked or has expired: no app gets anything with it any more.")
        }
        let bundleID = try app.choice(found, known: old?.bundleID)
        found.key = secret
        try report.print(found, "Wrote", bundleID: bundleID, otherwise: "The key itself is as good as before.")
    }

    private func typedKey() throws(CommandFailure) -> String {
        let text = key == "-" ? readLine() : key
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else {
            throw CommandFailure("There is no API key on standard input.")
        }
        return text
    }

    /// What of an older file goes into the new one.
    private struct OldFile {
        let key: String
        let bundleID: String?

        init(_ path: String) throws(CommandFailure) {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw CommandFailure("Cannot read \(path): there is no such file, or it may not be read.")
            }
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
            guard let key = list?[CredentialsFile.apiKeyKey] as? String, !key.isEmpty else {
                throw CommandFailure("\(path) is not a GoogleService-Info.plist with an API_KEY.")
            }
            self.key = key
            bundleID = list?[CredentialsFile.bundleIDKey] as? String
        }
    }
}

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

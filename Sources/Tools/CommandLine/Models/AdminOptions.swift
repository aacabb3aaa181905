import Foundation
import HearthArguments
import HearthLocalCommands
import HearthWire

/// How admin commands find their server.
struct AdminOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Service-account key of the server.",
            discussion: """
                Default: what HEARTH_CREDENTIALS names, else hearth-data/credentials/admin-service-account.json.
                """,
            valueName: "file"))
    var credentials: String?

    @Flag(help: "Print JSON.")
    var json = false

    func client() throws -> AdminClient {
        try Self.client(
            credentials: credentials ?? ProcessInfo.processInfo.environment["HEARTH_CREDENTIALS"]
                ?? "hearth-data/credentials/admin-service-account.json")
    }

    static func client(credentials path: String) throws -> AdminClient {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw CommandFailure("'\(path)' is a folder; name the admin-service-account.json that the server wrote.")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(
                """
                There are no admin credentials at \(path). Start `hearth serve` here, or name the file with \
                --credentials or HEARTH_CREDENTIALS.
                """)
        }
        guard let key = try? WireJSON.decode(ServiceAccountKey.self, from: data) else {
            throw CommandFailure("\(path) is not a service-account key of a Hearth server.")
        }
        return AdminClient(key)
    }
}

import Foundation
import HearthArguments
import HearthLocalCommands

/// How admin commands find their server, and how they print.
struct AdminOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Service-account key of the server.",
            discussion: """
                Default: what HEARTH_CREDENTIALS names, else hearth-data/credentials/admin-service-account.json.
                """,
            valueName: "file"))
    var credentials: String?

    @Option(
        help: ArgumentHelp(
            "File with an admin token to use instead of a key.", discussion: "Default: the token in HEARTH_TOKEN.",
            valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Address of the server.", discussion: "Default: HEARTH_URL, else what the key names.", valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "Project to work in.", discussion: "Default: HEARTH_PROJECT, else that of the credentials.",
            valueName: "id"))
    var project: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard credentials == nil || tokenFile == nil else {
            throw ValidationError("Give --credentials or --token-file, not both.")
        }
    }

    /// - Parameter interruption: what may end the calls early.
    func client(interruption: PushInterruption? = nil) throws -> AdminClient {
        let environment = ProcessInfo.processInfo.environment
        let choice = AdminCredentials.Choice(credentialsFile: credentials, tokenFile: tokenFile, url: url)
        let project = project ?? environment["HEARTH_PROJECT"].flatMap { $0.isEmpty ? nil : $0 }
        return AdminClient(
            try AdminCredentials(choice, environment: environment), project: project,
            transport: AdminTransport.make(environment), cancellation: interruption?.cancellation,
            sleep: { seconds in
                guard let interruption else { return Thread.sleep(forTimeInterval: seconds) }
                interruption.pause(seconds)
            })
    }
}

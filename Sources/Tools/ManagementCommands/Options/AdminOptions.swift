import Foundation
package import HearthAdmin
import HearthArguments
import HearthLocalCommands

/// How admin commands find their server, and how they print.
package struct AdminOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "File with a service-account key of the server.",
            discussion: """
                Default: the file that HEARTH_CREDENTIALS names, else hearth-data/credentials/admin-service-account.json.
                """,
            valueName: "file"))
    var credentials: String?

    @Option(
        help: ArgumentHelp(
            "File with an admin token, which is used instead of a key.",
            discussion: "Default: the token in HEARTH_TOKEN.",
            valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Address of the server.", discussion: "Default: HEARTH_URL, else the address in the key.", valueName: "url")
    )
    var url: String?

    @Option(
        help: ArgumentHelp(
            "Project to work in.", discussion: "Default: HEARTH_PROJECT, else that of the credentials.",
            valueName: "id"))
    var project: String?

    @Flag(help: "Print JSON.")
    package var json = false

    package init() {}

    package func validate() throws {
        guard credentials == nil || tokenFile == nil else {
            throw ValidationError("Give --credentials or --token-file, not both.")
        }
    }

    /// - Parameters:
    ///   - interruption: ends the calls early.
    ///   - onNotice: receives notices during a call.
    package func client(
        interruption: PushInterruption? = nil,
        onNotice: @escaping @Sendable (AdminNotice) -> Void = { Output.note($0.text) }
    ) throws -> AdminClient {
        let environment = ProcessInfo.processInfo.environment
        let choice = CredentialsChoice(credentialsFile: credentials, tokenFile: tokenFile, url: url)
        let project = project ?? environment["HEARTH_PROJECT"].flatMap { $0.isEmpty ? nil : $0 }
        return AdminClient(
            try choice.credentials(environment), project: project,
            transport: AdminNetwork(environment).transport, cancellation: interruption?.cancellation,
            sleep: { seconds in
                guard let interruption else { return Thread.sleep(forTimeInterval: seconds) }
                interruption.pause(seconds)
            }, onNotice: onNotice)
    }
}

extension AdminNetwork {
    /// Uses the proxy in `HEARTH_PROXY` and the certificates in `HEARTH_CA_FILE`, if they are set.
    package init(_ environment: [String: String]) {
        let caFile = environment["HEARTH_CA_FILE"]
        let proxy: Proxy =
            switch environment["HEARTH_PROXY"] {
            case nil, "": .environment
            case "none": .none
            case .some(let url): .url(url)
            }
        self.init(caFile: caFile?.isEmpty == true ? nil : caFile, proxy: proxy)
    }
}

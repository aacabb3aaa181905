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

/// The credentials from the command line.
package struct CredentialsChoice {
    var credentialsFile: String?
    var tokenFile: String?
    var url: String?

    package init(credentialsFile: String? = nil, tokenFile: String? = nil, url: String? = nil) {
        self.credentialsFile = credentialsFile
        self.tokenFile = tokenFile
        self.url = url
    }

    private static let defaultFile = "hearth-data/credentials/admin-service-account.json"

    /// The credentials from the command line, else from the environment (a token before a key file), else the file of a server that
    /// was started here.
    package func credentials(_ environment: [String: String]) throws -> AdminCredentials {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let url = url ?? value("HEARTH_URL")
        if let url, !url.hasPrefix("http://"), !url.hasPrefix("https://") {
            throw CommandFailure("The server's address must begin with http:// or https://, not '\(url)'.")
        }
        if let file = credentialsFile { return try AdminCredentials(serviceAccountFile: file, url: url) }
        if let file = tokenFile { return try Self.token(TextFile.read(file), "in \(file)", url: url) }
        if let token = value("HEARTH_TOKEN") { return try Self.token(token, "in HEARTH_TOKEN", url: url) }
        return try AdminCredentials(serviceAccountFile: value("HEARTH_CREDENTIALS") ?? Self.defaultFile, url: url)
    }

    private static func token(
        _ text: String, _ place: String, url: String?
    ) throws(CommandFailure) -> AdminCredentials {
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty, token.utf8.count <= 4096, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandFailure(
                "There is no admin token \(place): a token is one word, as `hearth keys token create` printed it.")
        }
        guard let url else {
            throw CommandFailure("An admin token does not contain its server's address: give --url or HEARTH_URL.")
        }
        return .token(token, url: url)
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

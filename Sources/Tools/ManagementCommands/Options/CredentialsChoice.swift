import Foundation
package import HearthAdmin
import HearthArguments
import HearthLocalCommands

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

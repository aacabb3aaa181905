import Foundation
import HearthCrypto
import HearthLocalCommands
import HearthTransport
import HearthWire

/// What admin calls are signed in with, and where they go.
enum AdminCredentials {
    case serviceAccount(ServiceAccountKey)
    /// An admin token, and the base address of its server.
    case token(String, url: String)

    /// The base address, without a slash at its end.
    var url: String {
        switch self {
        case .serviceAccount(let key): Self.trimmed(key.hearthURL)
        case .token(_, let url): Self.trimmed(url)
        }
    }

    private static func trimmed(_ url: String) -> String {
        var url = url
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }
}

extension AdminCredentials {
    /// What the user named on the command line.
    struct Choice {
        var credentialsFile: String?
        var tokenFile: String?
        var url: String?
    }

    private static let defaultFile = "hearth-data/credentials/admin-service-account.json"

    /// What the command line names, else what the environment does (a token before a key file), else the file that a
    /// server which was started here wrote.
    init(_ choice: Choice, environment: [String: String]) throws {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let url = choice.url ?? value("HEARTH_URL")
        if let url, !url.hasPrefix("http://"), !url.hasPrefix("https://") {
            throw CommandFailure("The server's address must begin with http:// or https://, not '\(url)'.")
        }
        if let file = choice.credentialsFile {
            self = .serviceAccount(try Self.key(in: file, url: url))
        } else if let file = choice.tokenFile {
            self = try Self.token(TextFile.read(file), "in \(file)", url: url)
        } else if let token = value("HEARTH_TOKEN") {
            self = try Self.token(token, "in HEARTH_TOKEN", url: url)
        } else {
            self = .serviceAccount(try Self.key(in: value("HEARTH_CREDENTIALS") ?? Self.defaultFile, url: url))
        }
    }

    /// The key in a file; `url` replaces the address that it names.
    static func key(in path: String, url: String? = nil) throws(CommandFailure) -> ServiceAccountKey {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw CommandFailure("'\(path)' is a folder; name the admin-service-account.json that the server wrote.")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(
                """
                There are no admin credentials at \(path). Start `hearth serve` here, name the file with --credentials \
                or HEARTH_CREDENTIALS, or set HEARTH_TOKEN and HEARTH_URL.
                """)
        }
        guard var key = try? WireJSON.decode(ServiceAccountKey.self, from: data) else {
            throw CommandFailure("\(path) is not a service-account key of a Hearth server.")
        }
        if let url { key.setHearthURL(url) }
        return key
    }

    private static func token(
        _ text: String, _ place: String, url: String?
    ) throws(CommandFailure) -> AdminCredentials {
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty, token.utf8.count <= 4096, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandFailure(
                "There is no admin token \(place): it is one word, as `hearth keys token create` printed it.")
        }
        guard let url else {
            throw CommandFailure("An admin token does not say where its server is: give --url or HEARTH_URL.")
        }
        return .token(token, url: url)
    }
}

/// Trades a service account's signed assertion for an access token.
struct AdminSignIn {
    let key: ServiceAccountKey

    func request(nowSeconds: Int64) throws -> TransportRequest {
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        return TransportRequest(
            method: "POST", url: key.tokenURI, headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: .bytes(Array((form + (try assertion(nowSeconds))).utf8)), totalTimeoutSeconds: 30)
    }

    func token(from response: TransportResponse) throws -> String {
        if response.status != 200,
            let failure = try? WireJSON.decode(TokenBodies.Failure.self, from: response.body)
        {
            throw CommandFailure("The server refused the credentials: \(failure.errorDescription)")
        }
        return try AdminClient.decode(TokenBodies.Response.self, response).accessToken
    }

    private func assertion(_ nowSeconds: Int64) throws -> String {
        let claims: [String: String] = [
            "iss": key.clientEmail, "aud": "https://oauth2.googleapis.com/token",
            "scope": "https://www.googleapis.com/auth/cloud-platform",
        ]
        var payload = String(decoding: try WireJSON.encode(claims), as: UTF8.self)
        payload = "{\"iat\":\(nowSeconds),\"exp\":\(nowSeconds + 3600)," + payload.dropFirst()
        return try JWT.encodeRS256(
            payload: Array(payload.utf8), keyID: key.privateKeyID, key: try RSAPrivateKey(pem: key.privateKey))
    }
}

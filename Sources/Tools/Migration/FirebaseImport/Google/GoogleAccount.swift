import Foundation
import HearthCrypto
import HearthFiles
import HearthTransport
import HearthWire

/// A service account of Google, which reads models, templates and experiments.
///
/// One thread at a time.
package final class GoogleAccount {
    /// The members of the key file that are needed.
    private struct Key: Decodable {
        var type: String?
        var project_id: String
        var client_email: String
        var private_key: String
        var private_key_id: String?
        var token_uri: String
    }

    private static let longestKeyBytes = 1 << 20
    private static let scope = "https://www.googleapis.com/auth/cloud-platform"

    /// The id of the account's project.
    package let project: String

    private let keyFile: String
    private let key: Key
    private let privateKey: RSAPrivateKey
    private var token: String?

    /// Reads a key file as Google's console makes it.
    ///
    /// - Throws: `invalidFile` or `invalidCredentials`.
    package init(keyFile: String) throws(FirebaseError) {
        let data = try FirebaseError.mappingFileError { () throws(FileError) in
            try DiskFiles().read(keyFile, limitBytes: Self.longestKeyBytes)
        }
        do {
            key = try WireJSON.decode(Key.self, from: data)
            privateKey = try RSAPrivateKey(pem: key.private_key)
        } catch {
            throw FirebaseError(
                .invalidCredentials,
                """
                \(keyFile) is not the key of a Google service account. Make one in the Firebase console: Project settings, \
                Service accounts, Generate new private key.
                """, cause: error)
        }
        guard WireNames.isWord(key.project_id) else {
            throw FirebaseError(.invalidCredentials, "The key in \(keyFile) names no valid project.")
        }
        self.keyFile = keyFile
        project = key.project_id
    }

    /// The answer to a call in this account's name, as ``FirebaseConnection/json(_:)``.
    func json(
        _ call: FirebaseConnection.Call, over connection: FirebaseConnection
    ) throws(FirebaseError) -> FirebaseConnection.Answer {
        do throws(FirebaseError) {
            return try connection.json(try signed(call, connection))
        } catch {
            guard error.status == 401 else { throw error }
            token = nil
            return try connection.json(try signed(call, connection))
        }
    }

    /// The call with an access token, which is asked for first if there is none.
    func signed(
        _ call: FirebaseConnection.Call, _ connection: FirebaseConnection
    ) throws(FirebaseError) -> FirebaseConnection.Call {
        var call = call
        call.headers.append(("Authorization", "Bearer \(try accessToken(connection))"))
        return call
    }

    /// Asks for an access token, so that a wrong key is found before anything else.
    package func signIn(_ connection: FirebaseConnection) throws(FirebaseError) { _ = try accessToken(connection) }

    /// Forgets the token, after an answer of 401: the next call asks for a new one.
    func forgetToken() { token = nil }

    private func accessToken(_ connection: FirebaseConnection) throws(FirebaseError) -> String {
        if let token { return token }
        try check(connection.options.endpoint)
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(try assertion())"
        let response = try connection.send(
            FirebaseConnection.Call(
                method: "POST", url: key.token_uri, headers: [("Content-Type", "application/x-www-form-urlencoded")],
                body: Array(form.utf8), subject: "the sign-in"))
        guard response.status == 200 else { throw refusal(response) }
        guard let made = (try? JSONValue(json: response.body))?["access_token"]?.text,
            made.utf8.allSatisfy(Self.isVisible)
        else {
            throw FirebaseError(.malformedAnswer, "Google's answer to the sign-in has no token; is a proxy between?")
        }
        token = made
        return made
    }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    private func refusal(_ response: TransportResponse) -> FirebaseError {
        let refusal = FirebaseError(response, of: "the sign-in of \(key.client_email.printable)")
        // Google is busy; that says nothing about the key.
        guard (400..<500).contains(response.status), ![408, 429].contains(response.status) else {
            return FirebaseError(.unreachable, refusal.sentence, status: response.status)
        }
        var hint = "Is the key still valid?"
        if let date = response.headers["date"].flatMap(HTTPDate.seconds), abs(date - Timestamp.now.seconds) > 240 {
            hint =
                "The clock of this machine differs from Google's by \(abs(date - Timestamp.now.seconds)) seconds: set it."
        }
        return FirebaseError(.invalidCredentials, "\(refusal.sentence) \(hint)", status: response.status)
    }

    /// A real key must not end in a rehearsal: its token would be sent to the double. A key of Hearth has the same form as one
    /// of Google.
    private func check(_ endpoint: String?) throws(FirebaseError) {
        guard let endpoint else {
            let host = (try? TransportURL(key.token_uri))?.host ?? ""
            guard host == "googleapis.com" || host.hasSuffix(".googleapis.com") || host == "accounts.google.com" else {
                throw FirebaseError(
                    .invalidCredentials,
                    """
                    \(keyFile) is the key of a Hearth server, or of another service, not of Google: its token_uri is \
                    \(String(key.token_uri.prefix(100)).printable). Make one in the Firebase console: Project settings, Service accounts, \
                    Generate new private key.
                    """)
            }
            return
        }
        guard let here = try? TransportURL(endpoint), let there = try? TransportURL(key.token_uri),
            (here.scheme, here.host, here.port) == (there.scheme, there.host, there.port)
        else {
            throw FirebaseError(
                .invalidCredentials,
                "The key is not of the server at --endpoint: its token_uri is elsewhere. Take the double's key for a rehearsal."
            )
        }
    }

    private func assertion() throws(FirebaseError) -> String {
        let now = Timestamp.now.seconds
        let claims: [String: JSONValue] = [
            "iss": .text(key.client_email), "aud": .text(key.token_uri), "scope": .text(Self.scope),
            "iat": .integer(now), "exp": .integer(now + 3600),
        ]
        do {
            return try JWT.encodeRS256(
                payload: try WireJSON.encode(claims), keyID: key.private_key_id, key: privateKey)
        } catch {
            throw FirebaseError(.invalidCredentials, "The key cannot sign: \(error)", cause: error)
        }
    }
}

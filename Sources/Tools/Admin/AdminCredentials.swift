import Foundation
import HearthCrypto
import HearthFiles
package import HearthTransport
public import HearthWire

/// The credentials of administration calls, and the server that they are for.
public enum AdminCredentials: Sendable {
    /// The key of a service account. It names its server and its project.
    case serviceAccount(ServiceAccountKey)
    /// An admin token, one word of visible ASCII characters, and the base address of its server.
    case token(String, url: String)

    /// Reads the key file of a service account, such as the `admin-service-account.json` that a server writes at its first
    /// start.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - url: another base address of the server than the one in the key.
    /// - Throws: ``AdminError``; `noCredentials` if the file does not exist, `invalidCredentials` if it is not a key.
    public init(serviceAccountFile path: String, url: String? = nil) throws(AdminError) {
        self = .serviceAccount(try Self.key(in: path, url: url))
    }

    /// The base address of the server, without a slash at its end.
    public var url: String {
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

    /// A key has two kilobytes.
    private static let limitBytes = 1 << 20

    private static func key(in path: String, url: String?) throws(AdminError) -> ServiceAccountKey {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw AdminError(
                .invalidCredentials,
                "'\(path)' is a folder; name the admin-service-account.json that the server wrote.")
        }
        let data: [UInt8]
        do throws(FileError) {
            data = try DiskFiles().read(path, limitBytes: limitBytes)
        } catch {
            guard error.code == .notFound else {
                throw AdminError(.invalidCredentials, "\(error.message).", cause: error)
            }
            throw AdminError(.noCredentials, "There are no admin credentials at \(path).", cause: error)
        }
        var key: ServiceAccountKey
        do {
            key = try WireJSON.decode(ServiceAccountKey.self, from: data)
        } catch {
            throw AdminError(
                .invalidCredentials, "\(path) is not a service-account key of a Hearth server.", cause: error)
        }
        if let url { key.setHearthURL(url) }
        return key
    }
}

/// How the client reaches a server.
public struct AdminNetwork: Sendable, Hashable {
    /// The proxy of the calls.
    public enum Proxy: Sendable, Hashable {
        /// The proxy in `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the process's environment.
        case environment
        /// No proxy.
        case none
        /// This one, such as `http://proxy.example:3128`.
        case url(String)
    }

    /// A PEM file of the certificates to trust instead of the system's; nil for the system's.
    public var caFile: String?
    /// The proxy.
    public var proxy: Proxy

    /// Makes a description of the network; without arguments, the usual one.
    public init(caFile: String? = nil, proxy: Proxy = .environment) {
        self.caFile = caFile
        self.proxy = proxy
    }

    /// For ``AdminClient``.
    package var transport: any Transport {
        let proxy: CurlTransport.Proxy =
            switch self.proxy {
            case .environment: .environment
            case .none: .none
            case .url(let url): .url(url)
            }
        return CurlTransport(configuration: CurlTransport.Configuration(caFile: caFile, proxy: proxy))
    }
}

/// Exchanges a service account's signed assertion for an access token.
struct AdminSignIn {
    let key: ServiceAccountKey

    func request(nowSeconds: Int64) throws(AdminError) -> TransportRequest {
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        return TransportRequest(
            method: "POST", url: key.tokenURI, headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: .bytes(Array((form + (try assertion(nowSeconds))).utf8)), totalTimeoutSeconds: 30)
    }

    func token(from response: TransportResponse) throws(AdminError) -> String {
        if response.status != 200,
            let failure = try? WireJSON.decode(TokenBodies.Failure.self, from: response.body)
        {
            throw AdminError(
                .invalidCredentials, "The server refused the credentials: \(failure.errorDescription)")
        }
        return try AdminClient.decode(TokenBodies.Response.self, response).accessToken
    }

    private func assertion(_ nowSeconds: Int64) throws(AdminError) -> String {
        let claims: [String: String] = [
            "iss": key.clientEmail, "aud": "https://oauth2.googleapis.com/token",
            "scope": "https://www.googleapis.com/auth/cloud-platform",
        ]
        do {
            var payload = String(decoding: try WireJSON.encode(claims), as: UTF8.self)
            payload = "{\"iat\":\(nowSeconds),\"exp\":\(nowSeconds + 3600)," + payload.dropFirst()
            return try JWT.encodeRS256(
                payload: Array(payload.utf8), keyID: key.privateKeyID, key: try RSAPrivateKey(pem: key.privateKey))
        } catch {
            throw AdminError(.invalidCredentials, "\(error)", cause: error)
        }
    }
}

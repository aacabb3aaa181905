import Foundation
import HearthCrypto
import HearthFiles
import HearthTransport
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

public import HearthCrypto
import HearthFiles

/// What lies where in a server's data folder, and in a backup of it.
public struct DataLayout: Sendable, Hashable {
    public let path: String

    public init(_ path: String) { self.path = path }

    static let databaseName = "hearth.sqlite"
    static let keysName = "keys"
    static let credentialsName = "credentials"
    /// The folders of small files, all of which go into a backup.
    static let smallFolders = [keysName, credentialsName]

    public var database: String { FilePath.join(path, Self.databaseName) }
    public var blobFolder: String { FilePath.join(path, "blobs") }
    public var secret: String { FilePath.join(path, Self.keysName + "/signing-secret") }
    public var adminCredentials: String { FilePath.join(path, Self.credentialsName + "/admin-service-account.json") }
    public var deviceCredentials: String { FilePath.join(path, Self.credentialsName + "/GoogleService-Info.plist") }
    /// Held by the server that uses the folder.
    public var lock: String { FilePath.join(path, "lock") }
    /// Held by a backup under way, and by whoever removes files that nobody needs: not both at once.
    public var backupLock: String { FilePath.join(path, "backup.lock") }

    /// The folders inside.
    public var folders: [String] { [blobFolder] + Self.smallFolders.map { FilePath.join(path, $0) } }

    public func blob(_ digest: SHA256Digest) -> String { FilePath.join(blobFolder, digest.hex) }

    func file(_ name: String) -> String { FilePath.join(path, name) }
}

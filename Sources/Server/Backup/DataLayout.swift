import Foundation
public import HearthCrypto
public import HearthFiles

/// What lies where in a server's data folder, and in a backup of it.
public struct DataLayout: Sendable, Hashable {
    public let path: String

    public init(_ path: String) { self.path = path }

    public static let folderIDName = "folder-id"
    static let databaseName = "hearth.sqlite"
    static let keysName = "keys"
    static let credentialsName = "credentials"
    /// The folders of small files, all of which go into a backup.
    static let smallFolders = [keysName, credentialsName]

    public var database: String { FilePath.join(path, Self.databaseName) }
    /// May be a link to a folder on another disk.
    public var blobFolder: String { FilePath.join(path, "blobs") }
    /// Says which data folder the model files belong to; the database says it, too.
    public var folderID: String { FilePath.join(blobFolder, Self.folderIDName) }
    public var secret: String { FilePath.join(path, Self.keysName + "/signing-secret") }
    public var adminCredentials: String { FilePath.join(path, Self.credentialsName + "/admin-service-account.json") }
    public var deviceCredentials: String { FilePath.join(path, Self.credentialsName + "/GoogleService-Info.plist") }
    /// Held by the server that uses the folder.
    public var lock: String { FilePath.join(path, "lock") }
    /// Held by a backup under way, and by whoever removes files that nobody needs: not both at once.
    public var backupLock: String { FilePath.join(path, "backup.lock") }

    /// How much maintenance would remove and waits with, and how much it was told to remove.
    public var pendingRemovalFile: String { FilePath.join(path, "upkeep-waiting") }
    public var confirmedRemovalFile: String { FilePath.join(path, "upkeep-confirmed") }
    public var keyFolder: String { FilePath.join(path, Self.keysName) }
    public var credentialsFolder: String { FilePath.join(path, Self.credentialsName) }

    /// The folders inside.
    public var folders: [String] { [blobFolder] + Self.smallFolders.map { FilePath.join(path, $0) } }

    /// Whether a server puts an entry of that name into the folder.
    public func isOwn(_ name: String) -> Bool {
        name.hasPrefix(Self.databaseName)
            || (folders + [lock, backupLock, pendingRemovalFile, confirmedRemovalFile]).contains {
                FilePath.name(of: $0) == name
            }
    }

    public func blob(_ digest: SHA256Digest) -> String { FilePath.join(blobFolder, digest.hex) }

    /// What the file beside the model files says; nil when there is none, and empty when it is damaged.
    public func recordedFolderID() throws(FileError) -> String? {
        let kind = PathKind(folderID)
        guard kind == .file else { return kind == .absent ? nil : "" }
        let bytes = try DiskFiles().read(folderID, limitBytes: 1024)
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    }

    func file(_ name: String) -> String { FilePath.join(path, name) }
}

/// Where files and folders lie, by whatever way their names lead there.
public enum FolderNesting {
    /// - Parameters:
    ///   - path: need not exist.
    ///   - outer: a folder that exists.
    static func isInside(_ path: String, _ outer: String) -> Bool { parts(of: path).starts(with: parts(of: outer)) }

    /// The parts of the path from the root on, with links followed as far as there is something.
    public static func parts(of path: String) -> [String] {
        var (there, missing) = (URL(fileURLWithPath: path).standardizedFileURL, [String]())
        while !FileManager.default.fileExists(atPath: there.path), there.path != "/" {
            missing.insert(there.lastPathComponent, at: 0)
            there.deleteLastPathComponent()
        }
        return there.resolvingSymlinksInPath().pathComponents + missing
    }
}

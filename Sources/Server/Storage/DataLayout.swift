import Foundation
package import HearthCrypto
package import HearthFiles

/// The files and folders in a server's data folder, and in a backup of it.
package struct DataLayout: Sendable, Hashable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package static let folderIDName = "folder-id"
    package static let databaseName = "hearth.sqlite"
    package static let cacheName = "s3-cache"
    package static let keysName = "keys"
    package static let credentialsName = "credentials"
    /// The folders of small files, all of which go into a backup.
    package static let smallFolders = [keysName, credentialsName]

    package var database: String { FilePath.join(path, Self.databaseName) }
    /// May be a link to a folder on another disk.
    package var blobFolder: String { FilePath.join(path, "blobs") }
    /// Contains the id of the data folder that the model files belong to. The database contains it too.
    package var folderID: String { FilePath.join(blobFolder, Self.folderIDName) }
    package var secret: String { FilePath.join(path, Self.keysName + "/signing-secret") }
    package var adminCredentials: String { FilePath.join(path, Self.credentialsName + "/admin-service-account.json") }
    package var deviceCredentials: String { FilePath.join(path, Self.credentialsName + "/GoogleService-Info.plist") }
    /// Held by the server that uses the folder.
    package var lock: String { FilePath.join(path, "lock") }
    /// Held by a running backup, and by code that removes unneeded files: only one of them at a time.
    package var backupLock: String { FilePath.join(path, "backup.lock") }

    /// Incoming files and copies of model files, of a server whose files are in a store. Apart from `blobFolder`, because a
    /// cache deletes files.
    package var cacheFolder: String { FilePath.join(path, Self.cacheName) }

    /// Of a follower: which server it mirrors, and how far.
    package var followFile: String { FilePath.join(path, "follow.json") }
    /// The keys with which a follower verifies the tokens of the main server's devices.
    package var mirroredKeys: String { FilePath.join(path, Self.keysName + "/mirrored-keys") }

    /// Contains the time of the last backup.
    package var lastBackupFile: String { FilePath.join(path, "last-backup") }

    /// The removals that maintenance has deferred, and those that an operator has confirmed.
    package var pendingRemovalFile: String { FilePath.join(path, "upkeep-waiting") }
    package var confirmedRemovalFile: String { FilePath.join(path, "upkeep-confirmed") }
    package var keyFolder: String { FilePath.join(path, Self.keysName) }
    package var credentialsFolder: String { FilePath.join(path, Self.credentialsName) }

    /// The folders inside.
    package var folders: [String] { [blobFolder] + Self.smallFolders.map { FilePath.join(path, $0) } }

    /// Whether a server creates an entry of that name in the folder.
    package func isOwn(_ name: String) -> Bool {
        name.hasPrefix(Self.databaseName)
            || ([cacheFolder, lock, backupLock, lastBackupFile, pendingRemovalFile, confirmedRemovalFile, followFile]
                + folders)
                .contains {
                    FilePath.name(of: $0) == name
                }
    }

    package func blob(_ digest: SHA256Digest) -> String { FilePath.join(blobFolder, digest.hex) }

    /// The content of the file beside the model files; nil if there is none, and empty if it is damaged.
    package func recordedFolderID() throws(FileError) -> String? {
        let kind = PathKind(folderID)
        guard kind == .file else { return kind == .absent ? nil : "" }
        let bytes = try DiskFiles().read(folderID, limitBytes: 1024)
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    }

    package func file(_ name: String) -> String { FilePath.join(path, name) }
}

/// Compares locations of files and folders, however their names lead there.
package enum FolderNesting {
    /// - Parameters:
    ///   - path: need not exist.
    ///   - outer: a folder that exists.
    package static func isInside(_ path: String, _ outer: String) -> Bool {
        parts(of: path).starts(with: parts(of: outer))
    }

    /// The components of the path from the root, with links resolved as far as the path exists.
    package static func parts(of path: String) -> [String] {
        var (there, missing) = (URL(fileURLWithPath: path).standardizedFileURL, [String]())
        while !FileManager.default.fileExists(atPath: there.path), there.path != "/" {
            missing.insert(there.lastPathComponent, at: 0)
            there.deleteLastPathComponent()
        }
        return there.resolvingSymlinksInPath().pathComponents + missing
    }
}

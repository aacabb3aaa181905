import Foundation
import Glibc
import HearthCatalog
import HearthFiles
import HearthMaintenance
import HearthStorage
import HearthStorageSQLite

/// The paths of a data folder. Only its owner can access them.
struct DataFolder: Sendable {
    let path: String
    let layout: DataLayout

    init(path: String) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
            throw ServerStartError("\(path) is a file; give a folder.")
        }
        self.path = path
        layout = DataLayout(path)
    }

    /// Cleans up after a kill: removes partly written files, and makes new entries durable. Only the owner of the lock calls it.
    func recover() throws(FileError) {
        try signingKeys.sweepAbandoned()
        for file in [layout.folderID, adminCredentials, deviceCredentials] {
            try AtomicFile.sweepAbandoned(of: file)
        }
        for folder in [path, FilePath.folder(of: path)] { try DiskFiles().synchronizeFolder(folder) }
    }

    /// Records in the folder of the model files which database they belong to. Only the owner of the lock calls it, after it has
    /// checked that they belong together.
    func record(folderID: String) throws(FileError) {
        guard try layout.recordedFolderID() != folderID else { return }
        try AtomicFile.write(Array("\(folderID)\n".utf8), to: layout.folderID)
    }

    var signingKeys: FileSigningKeyStore { FileSigningKeyStore(firstPath: layout.secret) }

    /// Removes the permissions of group and others from the signing keys.
    ///
    /// - Returns: the files that had any.
    func restrictSecretPermissions() throws(FileError) -> [String] {
        try signingKeys.paths().filter { path in
            var info = stat()
            guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_mode & 0o077 != 0 else {
                return false
            }
            return chmod(path, info.st_mode & 0o700) == 0
        }
    }

    /// Whether there is a database without a secret: the secret was lost, or a first start was interrupted. Also when the
    /// only key that was not retired is lost. A damaged key is no lost one: the server does not start with it.
    func lacksSecret() -> Bool {
        guard PathKind(databaseFile) == .file else { return false }
        guard PathKind(secretFile) != .absent else { return true }
        guard let keys = try? signingKeys.load() else { return false }
        return !keys.contains { !$0.isRetired }
    }

    /// Why the server cannot write here at the moment; nil if it can. Tests it with a nameless file, which leaves nothing.
    ///
    /// - Parameter hasDatabase: false if the records are elsewhere.
    func obstacle(hasDatabase: Bool) -> String? {
        let descriptor = open(blobFolder, Self.namelessFile | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if [EMFILE, ENFILE].contains(errno) {
                return "as many files are open as the process may have; raise the limit on open files"
            }
            if errno == ENOENT, PathKind(blobFolder) == .absent {
                return "the folder 'blobs' of the data folder is gone"
            }
            // Some file systems do not support nameless files.
            return errno == EOPNOTSUPP && access(blobFolder, W_OK) == 0 ? nil : "the data folder cannot be written to"
        }
        defer { close(descriptor) }
        guard write(descriptor, "0", 1) == 1 else { return "the data folder's disk is full or fails" }
        return hasDatabase ? databaseObstacle : nil
    }

    /// Does not open the database: closing it again would release the locks that SQLite has on it.
    private var databaseObstacle: String? {
        guard PathKind(databaseFile) == .file else { return "the database's file is gone; restart the server" }
        for suffix in ["", "-wal", "-shm"] where faccessat(AT_FDCWD, databaseFile + suffix, W_OK, AT_EACCESS) != 0 {
            if suffix.isEmpty || errno != ENOENT { return "the database cannot be written to" }
        }
        return nil
    }

    /// `O_TMPFILE`, whose definition is too complex for Swift to import.
    private static let namelessFile = 0o20000000 | O_DIRECTORY

    /// Where servers share the data, any of them may do the maintenance next.
    func removalConfirmation(_ data: ServerData) -> RemovalConfirmation {
        guard !data.isShared else { return RemovalConfirmation(RemovalMarks(data.metadata)) }
        return RemovalConfirmation(
            RemovalFiles(waiting: layout.pendingRemovalFile, confirmed: layout.confirmedRemovalFile))
    }

    var databaseFile: String { layout.database }
    var blobFolder: String { layout.blobFolder }
    var secretFile: String { layout.secret }
    var adminCredentials: String { layout.adminCredentials }
    var deviceCredentials: String { layout.deviceCredentials }
    var backupLockFile: String { layout.backupLock }
}

import Foundation
import Glibc
import HearthBackup
import HearthFiles
import HearthLocalCommands

/// Where the server keeps what. Only its owner may look inside.
struct DataFolder: Sendable {
    let path: String
    private let layout: DataLayout

    init(path: String) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
            throw CommandFailure("\(path) is a file; give a folder.")
        }
        self.path = path
        layout = DataLayout(path)
        if let foreign = try Self.foreignEntry(layout) {
            throw CommandFailure(
                """
                The folder \(path) is no data folder of a Hearth server: it has no database, and other files, such as \
                '\(foreign.printable)'. Give an empty folder, or one that does not exist.
                """)
        }
        let files = DiskFiles()
        for folder in [path] + layout.folders { try files.makeFolder(folder, mode: 0o700) }
    }

    /// What lies in a folder without a database that no first start leaves, however early it was cut short.
    private static func foreignEntry(_ layout: DataLayout) throws -> String? {
        guard FileManager.default.fileExists(atPath: layout.path),
            !FileManager.default.fileExists(atPath: layout.database)
        else { return nil }
        let own = Set((layout.folders + [layout.lock, layout.backupLock]).map(FilePath.name))
        return try DiskFiles().list(layout.path).first { name in
            // The last one is made by the system, in the top folder of a disk.
            !own.contains(name) && !name.hasPrefix(FilePath.name(of: layout.database)) && name != "lost+found"
        }
    }

    /// After a kill: what was being written goes, and what was just made is made durable. By the owner of the lock.
    func recover() throws(FileError) {
        for folder in layout.folders { try AtomicFile.sweepAbandoned(in: folder) }
        for folder in [path, FilePath.folder(of: path)] { try DiskFiles().synchronizeFolder(folder) }
    }

    /// Whether there is a database and no secret: it was lost, or a first start was cut short.
    func lacksSecret() throws(FileError) -> Bool {
        guard try DiskFiles().size(databaseFile) != nil else { return false }
        return try DiskFiles().size(secretFile) == nil
    }

    /// Why nothing can be written here at the moment; nil when it can. A file without a name is tried, so nothing is left.
    var obstacle: String? {
        let descriptor = open(blobFolder, Self.namelessFile | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            // Not every file system knows nameless files.
            return errno == EOPNOTSUPP && access(blobFolder, W_OK) == 0 ? nil : "the data folder cannot be written to"
        }
        defer { close(descriptor) }
        return write(descriptor, "0", 1) == 1 ? nil : "the data folder's disk is full or fails"
    }

    /// `O_TMPFILE`, whose definition is too complex for Swift to import.
    private static let namelessFile = 0o20000000 | O_DIRECTORY

    var lockFile: String { layout.lock }
    var databaseFile: String { layout.database }
    var blobFolder: String { layout.blobFolder }
    var secretFile: String { layout.secret }
    var adminCredentials: String { layout.adminCredentials }
    var deviceCredentials: String { layout.deviceCredentials }
    var backupLockFile: String { layout.backupLock }
}

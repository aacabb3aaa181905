import Foundation
import Glibc
import HearthBackup
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthTestSupport
import Synchronization
import Testing

@testable import HearthServer

/// That a start over a folder that is not good changes nothing in it, and that only one server uses a folder.
struct DataFolderLockTests {
    private let folder: TemporaryFolder
    private var data: String { folder.path + "/data" }
    private var layout: DataLayout { DataLayout(data) }

    init() throws { folder = try TemporaryFolder() }

    private func server() throws -> Server {
        let flags = ["data": data, "port": "0", "log-level": "error"]
        var configuration = try SettingsReader(flags: flags, environment: [:], file: nil).configuration
        configuration.probeProgram = "/bin/false"
        return try Server(configuration)
    }

    /// A server's folder, stopped.
    private func makeFolder() throws {
        let server = try server()
        _ = try server.start()
        server.stop()
    }

    /// Of everything in the folder: its mode and, of files, their bytes.
    private func contents() throws -> [String: String] {
        var contents: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: data) {
            var info = stat()
            guard lstat(data + "/" + name, &info) == 0 else { continue }
            let bytes = try PathKind(data + "/" + name) == .file ? FileDigest.sha256(data + "/" + name).hex : ""
            contents[name] = "\(info.st_mode) \(info.st_ino) \(bytes)"
        }
        return contents
    }

    private func expectRefusal(_ texts: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
        let before = try contents()
        let error = #expect(throws: ServerStartError.self, sourceLocation: sourceLocation) { try server() }
        for text in texts {
            #expect(
                error?.description.contains(text) == true, "\(String(describing: error))",
                sourceLocation: sourceLocation)
        }
        #expect(try contents() == before, sourceLocation: sourceLocation)
    }

    @Test(arguments: ["remove", "truncate"])
    func withoutItsDatabaseAFolderIsNotTouched(how: String) throws {
        try makeFolder()
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: layout.database + suffix) }
        if how == "remove" { try DiskFiles().remove(layout.database) } else { truncate(layout.database, 0) }
        chmod(layout.secret, 0o644)
        _ = try folder.write([1], to: "data/credentials/mine.new-1")
        try expectRefusal("hearth.sqlite", "Nothing was changed", "Put its own hearth.sqlite back", "move them away")
    }

    @Test func aDatabaseOfAnotherProgramIsNotTouched() throws {
        try makeFolder()
        try DiskFiles().remove(layout.database)
        _ = try folder.write([UInt8]("not a database at all".utf8), to: "data/hearth.sqlite")
        try expectRefusal("The database \(layout.database) is damaged")
    }

    @Test func aDatabaseBehindALinkIsRefused() throws {
        try makeFolder()
        try DiskFiles().rename(layout.database, to: data + "/hearth.sqlite.moved")
        symlink(data + "/hearth.sqlite.moved", layout.database)
        try expectRefusal("is a link")
    }

    @Test func databaseAndModelFilesOfTwoFoldersAreToldApart() throws {
        try makeFolder()
        try FileManager.default.moveItem(atPath: data, toPath: folder.path + "/other")
        try makeFolder()
        try DiskFiles().remove(layout.database)
        try FileManager.default.copyItem(atPath: folder.path + "/other/hearth.sqlite", toPath: layout.database)
        try expectRefusal(layout.folderID, "to the data folder")
    }

    @Test func modelFilesOnAnotherDiskAreFollowed() throws {
        try makeFolder()
        try FileManager.default.moveItem(atPath: layout.blobFolder, toPath: folder.path + "/disk")
        symlink(folder.path + "/disk", layout.blobFolder)
        try server().stop()
        #expect(try !DataVerifier(data: data).run().problems.contains { $0.kind == "file" || $0.kind == "folder" })
        // The disk is not mounted.
        try FileManager.default.moveItem(atPath: folder.path + "/disk", toPath: folder.path + "/away")
        try expectRefusal(layout.blobFolder, "Mount the disk")
    }

    @Test func aSecondServerIsRefusedAlsoWhenTheLockFileWasRemoved() throws {
        let first = try server()
        #expect(throws: ServerStartError.self) { try server() }
        try DiskFiles().remove(layout.lock)
        let error = #expect(throws: ServerStartError.self) { try server() }
        #expect(error?.description == "Another server uses the data folder \(data).")
        first.stop()
        try server().stop()
        withExtendedLifetime(first) {}
    }

    @Test func anOlderServersLockIsRespected() throws {
        try makeFolder()
        let lock = try FileLock.tryAcquire(layout.lock)
        #expect(throws: ServerStartError.self) { try server() }
        withExtendedLifetime(lock) {}
    }

    @Test func aServerNoticesThatItsLockFileIsGone() throws {
        let claim = try DataFolderLock(layout)
        let notes = Mutex<[String]>([])
        func obstacle() -> String? { claim.obstacle { note in notes.withLock { $0.append(note) } } }
        #expect(obstacle() == nil && notes.withLock { $0.isEmpty })
        try DiskFiles().remove(layout.lock)
        #expect(obstacle() == nil)
        #expect(notes.withLock { $0.count } == 1)
        #expect(FileLease.isInUse(layout.lock), "it is made and locked again")
        #expect(obstacle() == nil && notes.withLock { $0.count } == 1)
        try FileManager.default.moveItem(atPath: data, toPath: folder.path + "/moved")
        #expect(obstacle()?.contains("moved or replaced") == true)
    }

    @Test func whatOthersMayDoWithTheSecretIsTakenFromThem() throws {
        try makeFolder()
        let folder = try DataFolder(path: data)
        let second = layout.keyFolder + "/signing-key-2"
        try AtomicFile.write(Array(Self.secondKey.utf8), to: second)
        #expect(try folder.restrictSecretPermissions() == [])
        for path in [layout.secret, second] { chmod(path, 0o644) }
        try server().stop()
        for path in [layout.secret, second] {
            var info = stat()
            #expect(stat(path, &info) == 0 && info.st_mode & 0o777 == 0o600)
        }
    }

    private static let secondKey = """
        {"createTime": "2027-01-15T08:00:00Z", "secret": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}
        """

    @Test(arguments: ["", "{", "{}", String(secondKey.dropLast(12)), secondKey.replacing("secret", with: "other")])
    func aSigningKeyThatCannotBeReadRefusesTheStart(text: String) throws {
        try makeFolder()
        try AtomicFile.write(Array(Self.secondKey.utf8), to: layout.keyFolder + "/signing-key-2")
        try server().stop()
        try AtomicFile.write(Array(text.utf8), to: layout.keyFolder + "/signing-key-2")
        let error = #expect(throws: FileError.self) { try server() }
        #expect(error?.message.contains("signing-key-2 is damaged") == true)
        #expect(try DiskFiles().read(layout.keyFolder + "/signing-key-2", limitBytes: 1000) == Array(text.utf8))
    }

    @Test func whatAKillLeftOfAKeyIsRemovedAtTheNextStart() throws {
        try makeFolder()
        let half = layout.keyFolder + "/signing-key-2.new-0a1b2c3d4e5f6.hearth"
        try AtomicFile.write(Array(Self.secondKey.utf8.prefix(60)), to: half)
        try server().stop()
        #expect(PathKind(half) == .absent)
    }

    @Test func aLostDatabaseFileIsAnObstacle() throws {
        try makeFolder()
        let folder = try DataFolder(path: data)
        #expect(folder.obstacle(hasDatabase: true) == nil)
        try DiskFiles().rename(layout.database, to: data + "/elsewhere")
        #expect(folder.obstacle(hasDatabase: true)?.contains("database's file is gone") == true)
    }

    /// Root may write everywhere.
    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func aDatabaseThatCannotBeWrittenIsAnObstacleAndStopsTheStart() throws {
        try makeFolder()
        chmod(layout.database, 0o400)
        #expect(try DataFolder(path: data).obstacle(hasDatabase: true) == "the database cannot be written to")
        #expect(throws: ServerStartError.self) { try server() }
    }
}

import Foundation
import Glibc
import HearthFiles
import HearthStorageSQLite
import HearthTestSupport
import Testing

@testable import HearthBackup

/// `verify` leaves what it looks at as it is: byte for byte, and without a file more.
struct ReadOnlyVerifyTests {
    private let data: SampleData

    init() throws { data = try SampleData() }

    /// Of every file: which it is, its length, and when its bytes changed.
    private func stamps(_ folder: String) throws -> [String: [Int64]] {
        try Dictionary(
            uniqueKeysWithValues: SampleData.contents(folder).compactMap { name in
                FileStamp(path: folder + "/" + name).map { (name, [Int64($0.inode), Int64($0.size), $0.modified]) }
            })
    }

    private func verifyUntouched(_ folder: String) throws {
        let before = try stamps(folder)
        #expect(try DataVerifier(data: folder).run().problems == [])
        let after = try stamps(folder)
        #expect(Set(before.keys).union(after.keys).filter { before[$0] != after[$0] } == [])
    }

    /// A data folder that no server uses.
    private func stoppedFolder() throws -> String {
        let path = data.folder.path + "/stopped"
        _ = try BackupRestorer(backup: try data.backup("for-stopped").path, target: path).run()
        // Opening it turns on the log; closing it takes the log away again.
        _ = try SQLiteMetadataStore(path: path + "/hearth.sqlite")
        try #require(FileStamp(path: path + "/hearth.sqlite-wal") == nil)
        return path
    }

    @Test func aBackupCanStillBeRestored() throws {
        let (path, manifest) = try data.backup()
        try verifyUntouched(path)
        #expect(try BackupRestorer(backup: path, target: data.folder.path + "/restored").run() == manifest)
    }

    @Test func aBackupOfABackupLeavesTheFirstAsItWas() throws {
        let (path, _) = try data.backup()
        let database = try DiskFiles().read(path + "/hearth.sqlite", limitBytes: 1 << 20)
        _ = try BackupWriter(data: path, target: path + "-2", now: SampleData.now).run()
        #expect(try DiskFiles().read(path + "/hearth.sqlite", limitBytes: 1 << 20) == database)
        #expect(try DataVerifier(data: path + "-2").run().problems == [])
    }

    @Test func foldersInUseStoppedAndKilledStayAsTheyAre() throws {
        try verifyUntouched(data.path)
        try verifyUntouched(try stoppedFolder())
        // With the log of a server that was killed, in which all of it stands.
        let killed = data.folder.path + "/killed"
        try FileManager.default.copyItem(atPath: data.path, toPath: killed)
        try verifyUntouched(killed)
        #expect(try DataVerifier(data: killed).run().counts.models == 2)
    }

    /// Its index would have to be made: so it is left alone, and said so.
    @Test func aLogWithoutItsIndexIsNotLookedAt() throws {
        let copy = data.folder.path + "/copy"
        try FileManager.default.copyItem(atPath: data.path, toPath: copy)
        try DiskFiles().remove(copy + "/hearth.sqlite-shm")
        let before = try stamps(copy)
        let error = #expect(throws: BackupError.self) { try DataVerifier(data: copy).run() }
        #expect(error?.code == .busy)
        #expect(error?.message.contains("hearth.sqlite-shm") == true)
        #expect(try stamps(copy) == before)
    }

    /// Root may write everywhere.
    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func aReadOnlyFolderIsEnough() throws {
        for folder in [try data.backup().path, try stoppedFolder()] {
            for name in ["", "/blobs", "/keys", "/credentials"] { chmod(folder + name, 0o500) }
            defer { for name in ["", "/blobs", "/keys", "/credentials"] { chmod(folder + name, 0o700) } }
            for name in ["/hearth.sqlite", "/keys/signing-secret"] { chmod(folder + name, 0o400) }
            try verifyUntouched(folder)
        }
    }

    @Test(arguments: ["credentials/admin-service-account.json", "keys/signing-secret"])
    func aBackupIsComparedWithItsManifest(name: String) throws {
        let (path, _) = try data.backup()
        var bytes = try DiskFiles().read(path + "/" + name, limitBytes: 100)
        bytes[0] ^= 1
        try AtomicFile.write(bytes, to: path + "/" + name)
        let found = try DataVerifier(data: path).run().problems
        #expect(found.map(\.subject) == [path + "/" + name])
        #expect(found.map(\.text) == ["its bytes are not those backed up"])
        try DiskFiles().remove(path + "/" + name)
        #expect(try DataVerifier(data: path).run().problems.contains { $0.text == "it is not there" })
        try AtomicFile.write([1], to: path + "/manifest.json")
        #expect(
            try DataVerifier(data: path).run().problems.contains { $0.text.contains("it is not a backup manifest") })
    }

    @Test func aBackupIsNotRestoredIntoItself() throws {
        let (path, _) = try data.backup()
        let link = data.folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let before = try SampleData.contents(path)
        for target in [path + "/x", path + "/keys/../x/y", link + "/x"] {
            let error = #expect(throws: BackupError.self) {
                try BackupRestorer(backup: path, target: target).run()
            }
            #expect(error?.code == .insideData)
        }
        #expect(try SampleData.contents(path) == before)
    }
}

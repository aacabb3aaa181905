import Foundation
import Glibc
import HearthCatalog
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageSQLite
import HearthTestSupport
import Testing

@testable import HearthBackup

/// What `verify` finds, and what it does not take for a problem.
struct DataVerifierTests {
    private let data: SampleData

    init() throws { data = try SampleData() }

    private func problems() throws -> [String] {
        try data.verify().problems.map { "\($0.kind) \(FilePath.name(of: $0.subject)): \($0.text)" }
    }

    /// Changes the database behind the server's back.
    private func sql(_ statement: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit(); c.close()",
            data.layout.database, statement,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test func aGoodFolderIsClean() throws {
        // What a server at work leaves for a while.
        try AtomicFile.write([1], to: data.layout.blobFolder + "/incoming-1")
        try AtomicFile.write([1], to: data.layout.blob(SHA256Hasher.hash([1])))
        let report = try data.verify()
        #expect(report.problems == [])
        #expect(report.isClean)
        #expect(report.blobs == 3)
        #expect(report.blobBytes == 17)
        #expect(report.counts.versions == 3)
    }

    @Test func modelFilesAreReadWhole() throws {
        let roses = data.digests["roses"]!
        let path = data.layout.blob(roses)
        try Data("ROSES".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        #expect(try problems() == ["file \(roses.hex): its bytes are not those of its name"])
        try Data("rose".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try problems() == ["file \(roses.hex): it has 4 bytes, not 5"])
        try FileManager.default.removeItem(atPath: path)
        #expect(try problems() == ["file \(roses.hex): it is not there"])
        try data.store.write { store in
            for id in [1_000_001, 1_000_002] as [Int64] {
                if let model = try store.model(id: id, project: "project-a") { try store.delete(model) }
            }
            if let object = try store.object(bucket: "project-a.hearth", name: "roses", project: "project-a") {
                try store.delete(object)
            }
        }
        #expect(try problems() == [], "no record names it")
    }

    @Test func malformedFilesThatAreKeptAreReadToo() throws {
        let slow = try data.addMalformed("slow")
        #expect(try problems() == [])
        try Data("SLOW".utf8).write(to: URL(fileURLWithPath: data.layout.blob(slow)))
        #expect(try problems() == ["file \(slow.hex): its bytes are not those of its name"])
        try DiskFiles().remove(data.layout.blob(slow))
        #expect(try problems() == [], "earlier versions of the server removed them")
    }

    @Test func secretsAreWholeAndTheirOwnersOnly() throws {
        chmod(data.layout.secret, 0o644)
        chmod(data.layout.blobFolder, 0o755)
        chmod(data.layout.database, 0o660)
        #expect(
            try problems().sorted() == [
                "access blobs: users other than its owner may access it",
                "access hearth.sqlite: users other than its owner may access it",
                "access signing-secret: users other than its owner may access it",
            ])
        chmod(data.layout.blobFolder, 0o700)
        chmod(data.layout.database, 0o600)
        chmod(data.path, 0o755)
        #expect(try problems() == ["access signing-secret: users other than its owner may access it"])
        chmod(data.path, 0o775)
        #expect(try problems().contains("access data: users other than its owner may access it"))
        chmod(data.path, 0o700)
        chmod(data.layout.secret, 0o600)
        let second = data.layout.keyFolder + "/signing-key-2"
        try AtomicFile.write(Array(SampleData.secondKey.utf8), to: second)
        #expect(try problems() == [])
        chmod(second, 0o640)
        #expect(try problems() == ["access signing-key-2: users other than its owner may access it"])
        try AtomicFile.write(Array(SampleData.secondKey.utf8.dropLast(9)), to: second)
        #expect(try problems() == ["secret signing-key-2: it does not contain a key"])
        try AtomicFile.write(Array(SampleData.retiredKey.utf8), to: data.layout.secret)
        try AtomicFile.write(Array(SampleData.secondKey.utf8), to: second)
        #expect(try problems() == [])
        try FileManager.default.removeItem(atPath: second)
        #expect(try problems() == ["secret keys: it contains no signing key that is in use"])
        try AtomicFile.write([1], to: data.layout.secret)
        #expect(try problems() == ["secret signing-secret: it has 1 bytes, not 32"])
        try FileManager.default.removeItem(atPath: data.layout.secret)
        #expect(try problems() == ["secret signing-secret: it is not there"])
    }

    @Test(arguments: [
        ("UPDATE model SET newest_version = 7 WHERE id = 1000001", "its newest version is not the one"),
        ("UPDATE model SET publish_when_validated = 7 WHERE id = 1000001", "its version 7, which is to be published"),
        ("UPDATE model SET released_version = 7 WHERE id = 1000002", "its version 7, which is released"),
        ("UPDATE model SET is_published = 1 WHERE id = 1000001", "its releases say otherwise"),
        ("UPDATE version SET sha256 = 'x' WHERE model = 1000001 AND number = 1", "its hash 'x' is not a SHA-256"),
        ("UPDATE version SET size_bytes = 9 WHERE model = 1000001 AND number = 1", "with 9 bytes and with 5"),
        ("DELETE FROM validation", "nothing is recorded about its file"),
        ("UPDATE validation SET verdict = 'malformed' WHERE size_bytes = 5", "has not passed its check"),
        ("UPDATE validation SET verdict = 'odd'", "unknown verdict 'odd'"),
        ("PRAGMA foreign_keys = OFF; DELETE FROM project", "refers to a missing row of project"),
        ("PRAGMA foreign_keys = OFF; DELETE FROM version WHERE model = 1000002", "release"),
        (
            """
            PRAGMA foreign_keys = OFF; INSERT INTO version_alias VALUES (1000001, 'champion', 9, 1, 'a')
            """, "champion: its version 9 is not there"
        ),
        (
            """
            PRAGMA foreign_keys = OFF;
            INSERT INTO pin VALUES ('project-a', 'tag', 'qa', 1000001, 9, NULL, NULL, 1, 'a')
            """, "pins: its version 9 is not there"
        ),
        (
            """
            PRAGMA foreign_keys = OFF;
            INSERT INTO pin VALUES ('project-a', 'tag', 'qa', NULL, NULL, 'colours', 'b', 1, 'a')
            """, "pins: the experiment is not there"
        ),
        (
            "INSERT INTO pin VALUES ('project-a', 'odd', 'qa', 1000001, 1, NULL, NULL, 1, 'a')",
            "a pin of an unknown kind 'odd'"
        ),
        ("PRAGMA user_version = 1", "start the server once"), ("PRAGMA user_version = 99", "schema 99"),
    ])
    func rowsThatDoNotFitTogetherAreFound(statement: String, text: String) throws {
        #expect(try data.verify().isClean)
        try sql(statement)
        let found = try problems()
        #expect(found.contains { $0.contains(text) }, "\(found)")
    }

    @Test func filesInTheTrashAreCountedAndAreNotAProblem() throws {
        try AtomicFile.write([1], to: data.layout.blobFolder + "/aside-5-" + SHA256Hasher.hash([1]).hex)
        let report = try data.verify()
        #expect(report.problems == [] && report.setAside == 1)
        let roses = data.digests["roses"]!
        try DiskFiles().rename(data.layout.blob(roses), to: data.layout.blobFolder + "/aside-5-" + roses.hex)
        #expect(try data.verify().problems.map(\.remedy).first?.contains("restart the server") == true)
        #expect(try problems() == ["file \(roses.hex): it is not there"])
    }

    @Test func aLinkForAModelFileIsAProblem() throws {
        let roses = data.digests["roses"]!
        let elsewhere = data.folder.path + "/roses"
        try FileManager.default.moveItem(atPath: data.layout.blob(roses), toPath: elsewhere)
        symlink(elsewhere, data.layout.blob(roses))
        #expect(try problems() == ["file \(roses.hex): it is not a regular file"])
    }

    @Test func modelFilesMayLieOnAnotherDisk() throws {
        let disk = data.folder.path + "/disk"
        try FileManager.default.moveItem(atPath: data.layout.blobFolder, toPath: disk)
        symlink(disk, data.layout.blobFolder)
        #expect(try problems() == [])
        #expect(try DataVerifier(data: data.backup().path).run().problems == [])
    }

    @Test func modelFilesOfAnotherFolderAreAProblem() throws {
        try AtomicFile.write(Array("\(data.store.folderID)\n".utf8), to: data.layout.folderID)
        #expect(try problems() == [])
        try AtomicFile.write(Array("another\n".utf8), to: data.layout.folderID)
        #expect(try problems() == ["folder folder-id: the model files belong to another data folder than the database"])
    }

    @Test func aDamagedDatabaseIsAProblemAndNoCrash() throws {
        let (backup, _) = try data.backup()
        // So that the database itself has to tell.
        try DiskFiles().remove(backup + "/manifest.json")
        let database = backup + "/hearth.sqlite"
        let bytes = try DiskFiles().read(database, limitBytes: 1 << 24)
        var found = 0
        for position in stride(from: 4096, to: bytes.count, by: 3 * 4096) {
            var damaged = bytes
            damaged.replaceSubrange(position..<position + 100, with: [UInt8](repeating: 0xA5, count: 100))
            try Data(damaged).write(to: URL(fileURLWithPath: database))
            if try !DataVerifier(data: backup).run().isClean { found += 1 }
        }
        #expect(found > 0)
        try Data(repeating: 1, count: 9000).write(to: URL(fileURLWithPath: database))
        #expect(try DataVerifier(data: backup).run().problems.contains { $0.kind == "database" })
    }

    @Test func aHistoryThatCannotBeReadAndAWrongNumberOfInstallationsAreFound() throws {
        try data.store.write { store in
            try store.insert(
                ExperimentRecord(
                    projectID: "project-a", name: "colours", body: "{}", isRunning: false, createdMicroseconds: 1,
                    createdBy: "a"))
        }
        try sql(
            """
            INSERT INTO experiment_point VALUES ('project-a', 'colours', 1, '[');
            UPDATE project SET installations = 3;
            """)
        let found = try problems()
        #expect(found.contains { $0.hasPrefix("record history: it cannot be read") }, "\(found)")
        #expect(found.contains { $0.hasSuffix("counts 3 installations and has 1") }, "\(found)")
        #expect(found.count == 2, "\(found)")
    }
}

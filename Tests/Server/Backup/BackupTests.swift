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

/// Making a backup and making a data folder of it.
struct BackupTests {
    private let data: SampleData

    init() throws { data = try SampleData() }

    private func code(_ body: () throws -> Void) -> BackupError.Code? {
        #expect(throws: BackupError.self) { try body() }?.code
    }

    private func restore(_ backup: String, to name: String = "restored") throws -> BackupManifest {
        try BackupRestorer(backup: backup, target: data.folder.path + "/" + name).run()
    }

    @Test func aBackupHoldsWhatIsNeededAndNoMore() throws {
        let stray = SHA256Hasher.hash([1])
        try AtomicFile.write([1], to: data.layout.blob(stray))
        try AtomicFile.write([1], to: data.layout.blobFolder + "/incoming-1")
        let (path, manifest) = try data.backup()
        let needed = ["roses", "tulips", "unused"].map { data.digests[$0]!.hex }.sorted()
        #expect(manifest.blobs.map(\.sha256) == needed)
        #expect(manifest.blobBytes == 17)
        #expect(manifest.created == "2027-01-15T08:00:00.000Z")
        #expect(
            manifest.counts
                == BackupManifest.Counts(
                    projects: 1, models: 2, versions: 3, releases: 1, uploads: 4, installations: 1))
        #expect(
            try SampleData.contents(path)
                == ([
                    "blobs", "credentials", "credentials/admin-service-account.json", "hearth.sqlite", "keys",
                    "keys/signing-secret", "manifest.json",
                ] + needed.map { "blobs/" + $0 }).sorted())
        #expect(try SampleData.contents(data.folder.path).filter { $0.contains("partial") } == [])
    }

    @Test("Files that are no models are in it too, except those that an earlier version of the server removed")
    func malformedFiles() throws {
        let kept = try data.addMalformed("labels")
        let lost = try data.addMalformed("lost")
        try DiskFiles().remove(data.layout.blob(lost))
        let (path, manifest) = try data.backup()
        let found = Set(manifest.blobs.map(\.sha256))
        #expect(found.contains(kept.hex) && !found.contains(lost.hex))
        _ = try restore(path)
        #expect(PathKind(DataLayout(data.folder.path + "/restored").blob(kept)) == .file)
    }

    @Test func aRestoredFolderIsTheSame() throws {
        let (path, manifest) = try data.backup()
        #expect(try restore(path) == manifest)
        let target = data.folder.path + "/restored"
        let report = try DataVerifier(data: target).run()
        #expect(report.problems == [])
        #expect(report.counts == manifest.counts)
        #expect(report.blobs == 3)
        let layout = DataLayout(target)
        #expect(try DiskFiles().read(layout.secret, limitBytes: 100) == [UInt8](repeating: 7, count: 32))
        let store = try SQLiteMetadataStore(path: layout.database)
        let projectModels = try store.read { try $0.models(project: "project-a", after: 0, limit: 9) }
        #expect(projectModels.map(\.displayName) == ["flowers", "digits"])
    }

    @Test func allSigningKeysAreInIt() throws {
        let second = Array(SampleData.secondKey.utf8)
        try AtomicFile.write(second, to: data.layout.keyFolder + "/signing-key-2")
        try AtomicFile.write(second, to: data.layout.keyFolder + "/signing-key-3.new-0a1b2c3d4e5f6.hearth")
        let (path, _) = try data.backup()
        _ = try restore(path)
        let keys = DataLayout(data.folder.path + "/restored").keyFolder
        #expect(try DiskFiles().list(keys) == ["signing-key-2", "signing-secret"])
        #expect(try DiskFiles().read(keys + "/signing-key-2", limitBytes: 1000) == second)
    }

    @Test func notesAliasesAndPinsAreInIt() throws {
        let alias = VersionAlias(
            modelID: 1_000_001, name: "champion", version: 2, movedMicroseconds: 3, movedBy: "ann@example.test")
        let experiment = ExperimentRecord(
            projectID: "project-a", name: "colours", body: "{}", isRunning: false, createdMicroseconds: 1,
            createdBy: "a")
        let pins = [
            (Pin.Device.installation("f"), Pin.Target.version(1, model: 1_000_001)),
            (.tag("qa"), .variant("blue", experiment: "colours")),
        ].map { device, target in
            Pin(projectID: "project-a", device: device, target: target, createdMicroseconds: 4, createdBy: "a")
        }
        try data.store.write { store in
            try store.setNote("May's images", version: 2, model: 1_000_001)
            try store.put(alias)
            try store.insert(experiment)
            for pin in pins { try store.put(pin) }
        }
        _ = try restore(try data.backup().path)
        let target = data.folder.path + "/restored"
        #expect(try DataVerifier(data: target).run().problems == [])
        let store = try SQLiteMetadataStore(path: DataLayout(target).database)
        #expect(try store.read { try $0.versions(model: 1_000_001).map(\.note) } == [nil, "May's images"])
        #expect(try store.read { try $0.aliases(model: 1_000_001) } == [alias])
        #expect(try Set(store.read { try $0.pins(project: nil) }) == Set(pins))
    }

    /// The bytes of an upload in parts are no part of a backup; its session would promise them.
    @Test func uploadsUnderWayAreLeftOut() throws {
        try data.store.write { store in
            try store.insert(
                UploadSession(
                    id: "s", projectID: "project-a", bucket: "b", name: "n", fileName: "f", contentType: "t",
                    totalBytes: nil, crc32c: nil, createdMicroseconds: 1, createdBy: "a", touchedMicroseconds: 1))
        }
        _ = try restore(try data.backup().path)
        let store = try SQLiteMetadataStore(path: data.folder.path + "/restored/hearth.sqlite")
        #expect(try store.read { try $0.uploadSessions() } == [])
        #expect(try data.store.read { try $0.uploadSessions() }.count == 1)
    }

    @Test func aBackupStandsBesideWriters() throws {
        let store = data.store
        let stop = StopFlag()
        let writer = Thread {
            var number: Int64 = 0
            while !stop.isSet {
                number += 1
                let id = number
                try? store.write {
                    try $0.append(
                        AuditEntry(
                            projectID: "project-a", actor: "a", action: "b", subject: "c", detail: "\(id)",
                            atMicroseconds: id))
                }
            }
        }
        writer.start()
        defer { stop.set() }
        for number in 1...5 {
            let (path, _) = try data.backup("backup-\(number)")
            _ = try restore(path, to: "restored-\(number)")
            #expect(try DataVerifier(data: data.folder.path + "/restored-\(number)").run().isClean)
        }
    }

    @Test func nothingIsOverwritten() throws {
        let (path, _) = try data.backup()
        #expect(code { _ = try data.backup() } == .exists)
        #expect(code { _ = try BackupRestorer(backup: path, target: data.path).run() } == .exists)
        try FileManager.default.createDirectory(
            atPath: data.folder.path + "/other.partial/x", withIntermediateDirectories: true)
        #expect(code { _ = try data.backup("other") } == .exists)
        #expect(FileManager.default.fileExists(atPath: data.folder.path + "/other.partial/x"))
    }

    @Test func anEmptyFolderMayBecomeADataFolder() throws {
        let (path, _) = try data.backup()
        try FileManager.default.createDirectory(
            atPath: data.folder.path + "/restored", withIntermediateDirectories: true)
        _ = try restore(path)
        #expect(try DataVerifier(data: data.folder.path + "/restored").run().isClean)
    }

    @Test func whatIsNoDataFolderAndWhatIsNoBackupIsToldSo() throws {
        let empty = data.folder.path + "/empty"
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        #expect(
            code { _ = try BackupWriter(data: empty, target: empty + "-backup", now: SampleData.now).run() }
                == .notFound)
        #expect(code { _ = try DataVerifier(data: empty).run() } == .notFound)
        #expect(code { _ = try restore(empty) } == .notFound)
        #expect(code { _ = try restore(data.folder.path + "/absent") } == .notFound)
        #expect(try SampleData.contents(empty) == [])
    }

    @Test func aBackupDoesNotLieInWhatItIsACopyOf() throws {
        let link = data.folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: data.path)
        for target in [data.path + "/backups/one", link + "/one", data.path + "/keys/../two"] {
            #expect(
                code { _ = try BackupWriter(data: data.path, target: target, now: SampleData.now).run() } == .insideData
            )
        }
        #expect(try SampleData.contents(data.path).filter { $0.contains("one") || $0.contains("two") } == [])
        // A neighbour whose name only begins like the data folder's.
        _ = try BackupWriter(data: data.path, target: data.path + "-backup", now: SampleData.now).run()
    }

    /// As a kill leaves it: everything but the manifest, under the name of work under way.
    @Test func anUnfinishedBackupIsNoneAndDoesNotStandInTheWay() throws {
        let (path, manifest) = try data.backup()
        let partial = data.folder.path + "/next.partial"
        try FileManager.default.moveItem(atPath: path, toPath: partial)
        try DiskFiles().remove(partial + "/manifest.json")
        try AtomicFile.write([], to: partial + "/.hearth-work")
        #expect(code { _ = try restore(partial) } == .notFound)
        #expect(try data.backup("next").manifest == manifest)
        #expect(!FileManager.default.fileExists(atPath: partial))
    }

    @Test func aMissingOrDamagedModelFileFailsTheBackup() throws {
        let roses = data.layout.blob(data.digests["roses"]!)
        try FileManager.default.removeItem(atPath: roses)
        #expect(code { _ = try data.backup() } == .damaged)
        try AtomicFile.write(Array("ROSES".utf8), to: roses)
        #expect(code { _ = try data.backup() } == .damaged)
        #expect(try SampleData.contents(data.folder.path).filter { $0.hasPrefix("backup") } == [])
    }

    /// SQLite says only that some disk is full.
    @Test func aFullDiskIsNamed() {
        for error in [StorageError(.noSpace, "database or disk is full"), FileError(.noSpace, "x")] as [any Error] {
            let told = #expect(throws: BackupError.self) { try DiskFullError.naming("/backups/one") { throw error } }
            #expect(told?.code == .noSpace && told?.message.hasPrefix("The disk of /backups/one is full.") == true)
        }
        #expect(throws: StorageError.self) {
            try DiskFullError.naming("/backups/one") { throw StorageError(.io, "disk I/O error") }
        }
    }

    @Test(arguments: ["hearth.sqlite", "keys/signing-secret", "blobs", "manifest.json"])
    func aDamagedBackupIsNotRestored(name: String) throws {
        let (path, manifest) = try data.backup()
        let file = path + "/" + (name == "blobs" ? "blobs/" + manifest.blobs[0].sha256 : name)
        var bytes = try DiskFiles().read(file, limitBytes: 1 << 20)
        bytes[bytes.count / 2] ^= 0x80
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        #expect(code { _ = try restore(path) } == .damaged)
        try FileManager.default.removeItem(atPath: file)
        #expect([.damaged, .notFound].contains(code { _ = try restore(path) }))
        #expect(!FileManager.default.fileExists(atPath: data.folder.path + "/restored"))
        #expect(!FileManager.default.fileExists(atPath: data.folder.path + "/restored.restoring"))
    }

    @Test(arguments: [
        ("\"hearth.sqlite\"", "\"../../escape\""), ("\"keys/signing-secret\"", "\"keys/../../escape\""),
        ("\"keys/signing-secret\"", "\"/etc/passwd\""), ("\"keys/signing-secret\"", "\"keys/..\""),
    ])
    func aForgedManifestLeadsNowhere(original: String, forged: String) throws {
        let (path, _) = try data.backup()
        let file = path + "/manifest.json"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains(original))
        try text.replacingOccurrences(of: original, with: forged).write(toFile: file, atomically: true, encoding: .utf8)
        #expect(code { _ = try restore(path) } == .damaged)
    }

    @Test(arguments: [("\"format\" : 1", "\"format\" : 2"), ("\"schema\" : ", "\"schema\" : 9")])
    func aNewerBackupIsRefused(original: String, newer: String) throws {
        let (path, _) = try data.backup()
        let file = path + "/manifest.json"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacingOccurrences(of: original, with: newer).write(toFile: file, atomically: true, encoding: .utf8)
        #expect(code { _ = try restore(path) } == .incompatible)
    }

    @Test func theHistoryOfExperimentsAndTheNumberOfInstallationsAreInIt() throws {
        let point = ExperimentPoint(
            projectID: "project-a", experiment: "colours", atMicroseconds: 7,
            variants: [.init(exposures: 5, value: 0.5), .init(exposures: 6, value: 0.25, difference: -0.25)])
        try data.store.write { store in
            try store.insert(
                ExperimentRecord(
                    projectID: "project-a", name: "colours", body: "{}", isRunning: false, createdMicroseconds: 1,
                    createdBy: "a"))
            try store.put(point)
        }
        _ = try restore(try data.backup().path)
        let target = data.folder.path + "/restored"
        #expect(try DataVerifier(data: target).run().problems == [])
        let store = try SQLiteMetadataStore(path: DataLayout(target).database)
        #expect(try store.read { try $0.points(experiment: "colours", project: "project-a") } == [point])
        #expect(try store.read { try $0.installationCount(project: "project-a") } == 1)
    }
}

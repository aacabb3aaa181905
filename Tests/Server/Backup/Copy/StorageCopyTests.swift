import Foundation
import HearthCatalog
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageS3
import HearthStorageSQL
import HearthStorageSQLite
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthBackup

/// A server's data from a folder to a database and a store, and back.
@Suite(.enabled(if: SharedFixture.isThere, SharedFixture.absence))
struct StorageCopyTests {
    private let data: SampleData
    private let shared: SharedFixture

    init() throws {
        data = try SampleData()
        shared = try SharedFixture()
        try AtomicFile.write(Array(SampleData.secondKey.utf8), to: data.layout.keyFolder + "/signing-key-2")
    }

    private func copy(
        from source: DataPlace, to target: DataPlace, _ progress: @escaping (StorageCopy.Progress) -> Void = { _ in }
    ) throws -> StorageCopy.Report {
        try StorageCopy(from: source, to: target, now: SampleData.now, progress: progress).run()
    }

    private func there() throws -> StorageCopy.Report { try copy(from: .folder(data.path), to: .shared(shared.place)) }

    /// Whose call it was.
    private func refusal(_ code: BackupError.Code, _ body: () throws -> Void) -> String {
        let error = #expect(throws: BackupError.self, performing: body)
        #expect(error?.code == code)
        return error?.message ?? ""
    }

    @Test("There and back, all is as it was")
    func roundTrip() throws {
        try data.addInstallations(9000)
        let kept = try data.addMalformed("kept")
        let first = try there()
        #expect(first.differences.isEmpty)
        #expect(first.tables.first { $0.name == "installation" }?.rows == 9001)
        #expect(first.blobs == 4 && first.signingKeys == 2)
        let report = try shared.verify()
        #expect(report.problems == [])
        #expect(report.counts.installations == 9001 && report.counts.versions == 3 && report.blobs == 4)
        #expect(report.orphans == 0)

        let back = data.folder.path + "/back"
        let second = try copy(from: .shared(shared.place), to: .folder(back))
        #expect(second.tables == first.tables)
        let layout = DataLayout(back)
        let result = try DataVerifier(data: back).run()
        // Credentials files are not part of what servers share.
        #expect(result.problems == [])
        #expect(result.counts == report.counts)
        #expect(try FileDigest.sha256(layout.blob(kept)) == kept)
        let keys = try FileSigningKeyStore(firstPath: layout.secret).load()
        #expect(try keys == FileSigningKeyStore(firstPath: data.layout.secret).load())
        let store = try SQLiteMetadataStore(path: layout.database)
        #expect(store.folderID == data.store.folderID)
        #expect(try layout.recordedFolderID() == store.folderID)
        // The copy takes changes, and the source does not.
        try store.write { try $0.insert(Project(id: "project-b", number: 2, createdMicroseconds: 1)) }
        let error = #expect(throws: StorageError.self) {
            try data.store.write { try $0.insert(Project(id: "project-b", number: 2, createdMicroseconds: 1)) }
        }
        #expect(error?.code == .readOnly)
    }

    /// A copy that has copied nothing yet.
    private func begin() throws -> (CopySource, CopyTarget) {
        var source = try CopySource(.folder(data.path))
        let target = try CopyTarget(.shared(shared.place))
        try target.check(source.folderID, CopyPlan(from: source.tables.tables(), to: target.tables.tables()))
        try source.begin(reason: "", now: SampleData.now)
        try target.begin(source)
        return (source, target)
    }

    /// Thrown in the middle of a copy, as far as its files and its database see it. `scripts/soak copy` kills the program.
    private struct Interruption: Error {}

    @Test("A copy that is interrupted anywhere continues, and no server takes it for complete")
    func interruptions() throws {
        try data.addInstallations(20_000)
        var progress = 0
        for last in [0, 1] {
            let (source, target) = try begin()
            let plan = try CopyPlan(from: source.tables.tables(), to: target.tables.tables())
            var calls = 0
            #expect(throws: Interruption.self) {
                try source.tables.reading {
                    for table in plan.tables {
                        var copier = TableCopier(source: source.tables, target: target.tables)
                        copier.progress = { rows in
                            progress += rows
                            if rows > 1000 { calls += 1 }
                            if calls > last { throw Interruption() }
                        }
                        _ = try copier.copy(table)
                    }
                }
            }
            let found = try shared.verify().problems
            #expect(found.contains { $0.text.contains("is not complete") })
        }
        #expect(progress >= 12_000)
        var rows: UInt64 = 0
        let report = try copy(from: .folder(data.path), to: .shared(shared.place)) { now in
            if now.step == .rows, rows == 0 { rows = now.done }
        }
        // It did not begin again.
        #expect(rows >= UInt64(progress))
        #expect(report.differences.isEmpty)
        #expect(report.tables.first { $0.name == "installation" }?.rows == 20_001)
        #expect(try shared.verify().problems == [])
    }

    @Test("A place with other data is refused, and stays as it is")
    func foreignTargets() throws {
        _ = try there()
        let other = try SampleData()
        let text = refusal(.exists) { _ = try copy(from: .folder(other.path), to: .shared(shared.place)) }
        #expect(text.contains("has the model files of other records"))
        #expect(try shared.verify().problems == [])
        let into = refusal(.exists) { _ = try copy(from: .shared(shared.place), to: .folder(other.path)) }
        #expect(into.contains("has records of its own"))
        #expect(try other.verify().problems == [])
        // A refused copy leaves its source as it was.
        #expect(try ReadOnlyMode(.shared(shared.place)).current() == nil)
        let again = refusal(.exists) { _ = try there() }
        #expect(again.contains("has records of its own"))
    }

    @Test("If the source took changes in the middle of a copy, the copy does not continue")
    func changedSource() throws {
        try data.addInstallations(9000)
        _ = try begin()
        try data.allowChanges()
        try data.store.write { try $0.insert(Project(id: "project-b", number: 2, createdMicroseconds: 1)) }
        let text = refusal(.exists) { _ = try there() }
        #expect(text.contains("the beginning of another copy"))
    }

    @Test("A missing model file ends the copy before anybody could miss it")
    func missingFile() throws {
        let digest = try #require(data.digests["roses"])
        try DiskFiles().remove(data.layout.blob(digest))
        #expect(refusal(.damaged) { _ = try there() }.contains(digest.hex))
        try AtomicFile.write(Array("thorn".utf8), to: data.layout.blob(digest))
        #expect(refusal(.damaged) { _ = try there() }.contains("not those of its name"))
        try AtomicFile.write(Array("roses".utf8), to: data.layout.blob(digest))
        #expect(try there().differences.isEmpty)
    }

    @Test("A wrong, a missing and an unneeded object are found; with quick, all but the wrong bytes")
    func damagedStore() throws {
        _ = try there()
        let (roses, tulips) = (try #require(data.digests["roses"]), try #require(data.digests["tulips"]))
        try shared.client.put("blobs/\(roses.hex)", .bytes(Array("thorn".utf8)))
        try shared.client.put("blobs/\(String(repeating: "a", count: 64))", .bytes([1]))
        let report = try shared.verify()
        #expect(report.problems.map(\.text) == ["its bytes are not those of its name"])
        #expect(report.problems.first?.subject.contains(roses.hex) == true)
        #expect(report.orphans == 1)
        #expect(try shared.verify(quick: true).problems == [])
        try shared.client.delete("blobs/\(tulips.hex)")
        #expect(try shared.verify(quick: true).problems.map(\.text) == ["it is not there"])
        let repaired = try SharedDataVerifier(shared.place).run(repairingFrom: RepairSource([data.path]))
        #expect(repaired.problems == [] && repaired.repaired == 2 && repaired.orphans == 1)
        #expect(try shared.verify().problems == [])
    }

    @Test("A backup of what servers share is one of a folder: it can be restored to both")
    func backup() throws {
        try data.addInstallations(5000)
        _ = try there()
        let path = data.folder.path + "/backup"
        let manifest = try SharedBackupWriter(shared.place, target: path, now: SampleData.now).run()
        #expect(manifest.counts.installations == 5001 && manifest.blobs.count == 3)
        #expect(try DataVerifier(data: path).run().problems == [])
        let restored = data.folder.path + "/restored"
        _ = try BackupRestorer(backup: path, target: restored).run()
        #expect(try DataVerifier(data: restored).run().problems == [])
        let elsewhere = try SharedFixture()
        let report = try copy(from: .folder(path), to: .shared(elsewhere.place))
        #expect(report.differences.isEmpty)
        #expect(try elsewhere.verify().counts == shared.verify().counts)
        // A backup is not marked.
        #expect(try DataVerifier(data: path).run().problems == [])
    }

    @Test("A backup that lacks a model file does not exist")
    func damagedBackup() throws {
        _ = try there()
        try shared.client.put("blobs/\(#require(data.digests["roses"]).hex)", .bytes(Array("thorn".utf8)))
        let path = data.folder.path + "/backup"
        let text = refusal(.damaged) {
            _ = try SharedBackupWriter(shared.place, target: path, now: SampleData.now).run()
        }
        #expect(text.contains("not those of its name"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}

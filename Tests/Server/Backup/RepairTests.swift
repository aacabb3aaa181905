import Foundation
import Glibc
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthTestSupport
import Testing

@testable import HearthBackup

/// Damaged model files get right bytes from another folder.
struct RepairTests {
    private let data: SampleData
    private var roses: SHA256Digest { SHA256Hasher.hash(Array("roses".utf8)) }
    private var tulips: SHA256Digest { SHA256Hasher.hash(Array("tulips".utf8)) }

    init() throws { data = try SampleData() }

    private func damage(_ digest: SHA256Digest, _ text: String?) throws {
        if let text {
            try AtomicFile.write(Array(text.utf8), to: data.layout.blob(digest))
        } else {
            try DiskFiles().remove(data.layout.blob(digest))
        }
    }

    private func repair(from folders: String..., quick: Bool = false) throws -> DataVerifier.Report {
        try DataVerifier(data: data.path, quick: quick, repairingFrom: RepairSource(folders)).run()
    }

    @Test func aBackupHealsWhatIsDamagedOrMissing() throws {
        let backup = try data.backup().path
        try damage(roses, "ROSES")
        try damage(tulips, nil)
        #expect(try data.verify().problems.count == 2 && data.verify().repaired == nil)
        let before = try SampleData.contents(data.path)
        let report = try repair(from: backup)
        #expect(report.problems == [] && report.repaired == 2 && report.blobs == 3)
        #expect(try data.verify().isClean)
        #expect(try SampleData.contents(data.path) == (before + ["blobs/" + tulips.hex]).sorted())
        #expect(try repair(from: backup).repaired == 0)
    }

    @Test func aCacheHealsToo() throws {
        let cache = DataLayout(data.folder.path + "/server").cacheFolder
        try DiskFiles().makeFolder(cache, mode: 0o700)
        try AtomicFile.write(Array("roses".utf8), to: FilePath.join(cache, roses.hex))
        try AtomicFile.write(Array("TULIPS".utf8), to: FilePath.join(cache, tulips.hex))
        try damage(roses, "rose")
        try damage(tulips, "TULIPS")
        let report = try repair(from: data.path, data.folder.path + "/server")
        #expect(report.repaired == 1)
        // Nowhere are right bytes, and what is there stays.
        #expect(report.problems.map(\.text) == ["its bytes are not those of its name"])
        #expect(report.problems.first?.subject == data.layout.blob(tulips))
        #expect(report.problems.first?.remedy.contains("Push the file again") == true)
        #expect(try DiskFiles().read(data.layout.blob(tulips), limitBytes: 9) == Array("TULIPS".utf8))
        #expect(try FileDigest.sha256(data.layout.blob(roses)) == roses)
    }

    @Test func aQuickLookRepairsWhatItFinds() throws {
        let backup = try data.backup().path
        try damage(roses, "ROSES")
        try damage(tulips, nil)
        let report = try repair(from: backup, quick: true)
        #expect(report.problems == [] && report.repaired == 1)
        #expect(try data.verify().problems.count == 1)
    }

    @Test func aFileThatCannotBeReplacedKeepsNoOtherFromIt() throws {
        let backup = try data.backup().path
        for digest in [roses, tulips] {
            try damage(digest, nil)
            // Each of them comes first once.
            try DiskFiles().makeFolder(data.layout.blob(digest), mode: 0o700)
            let other = digest == roses ? tulips : roses
            try damage(other, "wrong")
            let report = try repair(from: backup)
            #expect(report.problems.map(\.subject) == [data.layout.blob(digest)] && report.repaired == 1)
            #expect(
                report.problems.first?.text.hasPrefix("it is not a regular file, and could not be replaced: ") == true)
            #expect(report.problems.first?.remedy.hasPrefix("Remove what is in the way.") == true)
            #expect(try FileDigest.sha256(data.layout.blob(other)) == other)
            rmdir(data.layout.blob(digest))
            #expect(try repair(from: backup).isClean)
        }
    }

    @Test func aFolderThatIsNotThereIsNamed() {
        let error = #expect(throws: BackupError.self) { try RepairSource(["/nowhere/at/all"]) }
        #expect(error?.code == .notFound && error?.message.contains("/nowhere/at/all") == true)
    }
}

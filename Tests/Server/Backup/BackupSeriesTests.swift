import Foundation
import HearthStorage
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthBackup

/// Backups that are made again and again into one folder.
struct BackupSeriesTests {
    private let data: SampleData
    private let folder: String

    init() throws {
        data = try SampleData()
        folder = data.folder.path + "-backups/daily"
    }

    private func run(day: Int, keep: Int) throws -> BackupSeries.Result {
        let time = try #require(Timestamp(rfc3339: "2027-01-0\(day)T08:00:00.5Z"))
        return try BackupSeries(data: data.layout.path, folder: folder, keep: keep, now: time).run()
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    @Test func theOldestGoAndTheNewestStay() throws {
        for day in 1...4 { _ = try run(day: day, keep: 3) }
        #expect(try names() == ["2027-01-02T080000Z", "2027-01-03T080000Z", "2027-01-04T080000Z"])
        let last = try run(day: 5, keep: 1)
        #expect(last.deleted == ["2027-01-02T080000Z", "2027-01-03T080000Z", "2027-01-04T080000Z"])
        #expect(try names() == ["2027-01-05T080000Z"])
        _ = try BackupRestorer(backup: last.path, target: data.folder.path + "/restored").run()
        try FileManager.default.removeItem(atPath: folder)
    }

    /// A folder of backups may contain what a person put there.
    @Test func nothingElseIsDeleted() throws {
        _ = try run(day: 1, keep: 1)
        let own = ["before-upgrade", "2026-01-01T080000Z", "2026-01-01T080000Z.partial", "note.txt"]
        for name in own {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)/file"))
        }
        #expect(try run(day: 2, keep: 1).deleted == ["2027-01-01T080000Z"])
        #expect(try names() == (own + ["2027-01-02T080000Z"]).sorted())
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func whatAKilledRunWasWritingGoesAndWhatAnotherRunWritesStays() throws {
        let killed = folder + "/2027-01-01T080000Z.partial"
        try FileManager.default.createDirectory(atPath: killed + "/blobs", withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: killed + "/.hearth-work"))
        let other = try StagingDirectory(for: folder + "/2027-01-02T080000Z", mark: ".partial")
        _ = try run(day: 3, keep: 1)
        #expect(try names() == ["2027-01-02T080000Z.partial", "2027-01-03T080000Z"])
        withExtendedLifetime(other) {}
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func theNewBackupStaysEvenIfTheClockWasSetBack() throws {
        for day in [5, 6] { _ = try run(day: day, keep: 2) }
        #expect(try run(day: 1, keep: 2).deleted == ["2027-01-05T080000Z"])
        #expect(try names() == ["2027-01-01T080000Z", "2027-01-06T080000Z"])
        try FileManager.default.removeItem(atPath: folder)
    }

    /// A deletion that was killed leaves no manifest, and the next run finishes it.
    @Test func whatAKilledRunBeganToDeleteGoes() throws {
        _ = try run(day: 1, keep: 5)
        let begun = folder + "/2027-01-01T080000Z"
        try FileManager.default.removeItem(atPath: begun + "/" + BackupManifest.name)
        try Data().write(to: URL(fileURLWithPath: begun + "/.being-deleted"))
        _ = try run(day: 2, keep: 5)
        #expect(try names() == ["2027-01-02T080000Z"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func nothingIsDeletedIfTheBackupFails() throws {
        _ = try run(day: 1, keep: 1)
        try FileManager.default.removeItem(atPath: data.layout.database)
        #expect(throws: BackupError.self) { try run(day: 2, keep: 1) }
        #expect(try names() == ["2027-01-01T080000Z"])
        try FileManager.default.removeItem(atPath: folder)
    }
}

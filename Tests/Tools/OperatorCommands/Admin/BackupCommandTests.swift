import Foundation
import HearthBackup
import Testing

@testable import HearthOperatorCommands

/// The text about a backup.
struct BackupSummaryTests {
    private func manifest() throws -> BackupManifest {
        try JSONDecoder().decode(
            BackupManifest.self,
            from: Data(
                #"""
                {"format":1,"hearth":"1.0","schema":1,"created":"2027-01-15T08:00:00Z","files":[],"blobs":[],"counts":
                {"projects":1,"models":0,"versions":2,"releases":0,"uploads":0,"installations":0}}
                """#.utf8))
    }

    @Test func oneOfSomethingIsSingular() throws {
        #expect(
            try manifest().counts.text
                == "1 project, 0 models, 2 versions, 0 releases, 0 uploads, 0 installations")
    }

    /// A restored database has the keys that were good when the backup was made.
    @Test func aRestoreWarnsOfWhatIsGoodAgain() throws {
        let note = BackupSummary(try manifest(), path: "/data").restoredSecrets
        #expect(
            note.contains("those of 2027-01-15T08:00:00Z. What was revoked or ended after that time is valid again"))
        #expect(!note.contains("\n"))
    }
}

import Foundation
import HearthArguments
import HearthTestSupport
import Testing

@testable import HearthCommandLine

@Suite struct RehearsalCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/photos/rose", withIntermediateDirectories: true)
        for name in ["photos/1.jpg", "photos/notes.txt", "photos/rose/2.png"] {
            #expect(FileManager.default.createFile(atPath: folder.path + "/" + name, contents: Data([1])))
        }
    }

    @Test func aFolderGivesItsImagesAndTheirExpectedAnswers() throws {
        let found = try ImageFiles.found(at: folder.path + "/photos", label: nil)
        #expect(found.map(\.name) == ["1.jpg", "rose/2.png"])
        #expect(found.map(\.label) == [nil, "rose"])
    }

    @Test func aFileThatIsNoImageIsRefused() throws {
        #expect(try ImageFiles.found(at: folder.path + "/photos/1.jpg", label: "daisy").map(\.label) == ["daisy"])
        #expect(throws: (any Error).self) { try ImageFiles.found(at: folder.path + "/photos/notes.txt", label: nil) }
    }

    @Test func drawingsNeedAFolder() throws {
        for target in ["photos", "new"] {
            _ = try RehearseCommand.parse(["flowers", "--draw", folder.path + "/" + target])
        }
        #expect(throws: (any Error).self) {
            try RehearseCommand.parse(["flowers", "--draw", folder.path + "/photos/1.jpg"])
        }
    }
}

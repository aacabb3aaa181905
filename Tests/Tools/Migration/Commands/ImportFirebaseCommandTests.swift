import HearthArguments
import Testing

@testable import HearthMigrationCommands

@Suite struct ImportFirebaseCommandTests {
    @Test("The command of the console has a folder of its own, because it names no project")
    func folders() throws {
        for (arguments, folder) in [
            (["--service-account", "key.json"], "firebase-import"),
            (["--plist", "app.plist", "--model", "a"], "firebase-import"),
            (["--command", "pasted.txt"], "firebase-bulk-download"),
            (["--command", "pasted.txt", "--keep", "mine"], "mine"),
            (["kept"], "kept"),
        ] {
            #expect(try ImportFirebaseCommand.parse(arguments).keptFolder == folder)
        }
    }
}

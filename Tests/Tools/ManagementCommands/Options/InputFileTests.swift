import Foundation
import HearthLocalCommands
import HearthTestSupport
import Testing

@testable import HearthManagementCommands

@Suite("Files that a command reads") struct InputFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func refusal(_ path: String) -> String {
        let error = #expect(throws: CommandFailure.self) { try TextFile.read(path) }
        return error?.description ?? ""
    }

    @Test("A pipe is read to its end")
    func pipes() throws {
        let path = folder.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        let text = String(repeating: "0123456789", count: 20_000)
        // To open a pipe waits for the other end.
        Thread { FileHandle(forWritingAtPath: path)?.write(Data(text.utf8)) }.start()
        #expect(try TextFile.read(path) == text)
    }

    @Test("The refusal says what the system says")
    func refusals() throws {
        #expect(refusal("/nowhere/t.json") == "Cannot open /nowhere/t.json: No such file or directory.")
        #expect(refusal("/") == "Cannot read /: Is a directory.")
        #expect(refusal("/dev/zero").contains("it is larger than"))
        let file = try folder.write([0xFF, 0xFE], to: "bytes")
        #expect(refusal(file).contains("it is not text in UTF-8"))
    }
}

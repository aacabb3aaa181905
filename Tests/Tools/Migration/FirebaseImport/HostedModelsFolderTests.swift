import Foundation
import HearthFirebaseImport
import HearthTestSupport
import Testing

@Suite("The folder of the console's bulk download")
struct HostedModelsFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func reason(of name: String, containing bytes: String) throws -> String? {
        _ = try folder.write(bytes.utf8, to: name)
        let source = try HostedModelsFolder(folder.path)
        #expect(source.models.isEmpty && source.ignored.map(\.file) == [name])
        return source.ignored.first?.reason
    }

    @Test("Files are models by their names, in order")
    func models() throws {
        for name in ["b_2.tflite", "A-1.tflite"] { _ = try folder.write("----TFL3".utf8, to: name) }
        let source = try HostedModelsFolder(folder.path)
        #expect(source.models.map(\.name) == ["A-1", "b_2"])
        #expect(source.models.map(\.sizeBytes) == [8, 8])
        #expect(source.ignored.isEmpty)
    }

    @Test("The answer of an expired link is no model, in XML and in HTML", arguments: ["<?xml", " \r\n<html>"])
    func expiredLink(text: String) throws {
        let reason = try reason(of: "m.tflite", containing: text + " version='1.0'?><Error>ExpiredToken</Error>")
        #expect(reason?.contains("get a new command in the Firebase console") == true)
    }

    @Test("A model may begin with any bytes")
    func modelThatLooksLikeText() throws {
        _ = try folder.write("<\0\0\0TFL3".utf8, to: "m.tflite")
        #expect(try HostedModelsFolder(folder.path).models.count == 1)
    }

    @Test(
        "Other files are named with the reason",
        arguments: [
            ("notes.txt", "x", "does not end in .tflite"), ("a b.tflite", "x", "32 letters"),
            ("empty.tflite", "", "download it again"),
            (String(repeating: "n", count: 33) + ".tflite", "x", "32 letters"),
        ])
    func others(name: String, bytes: String, part: String) throws {
        #expect(try reason(of: name, containing: bytes)?.contains(part) == true)
    }

    @Test("A folder is no model, whatever its name")
    func subfolder() throws {
        _ = try folder.write("x".utf8, to: "m.tflite/part")
        let source = try HostedModelsFolder(folder.path)
        #expect(source.models.isEmpty && source.ignored.first?.reason.contains("It is a folder") == true)
    }

    @Test("A link out of the folder is named, and nothing behind it is read; one inside is a file of the folder")
    func links() throws {
        let elsewhere = try TemporaryFolder()
        let secret = try elsewhere.write("----TFL3".utf8, to: "secret")
        _ = try folder.write("----TFL3".utf8, to: "own.tflite")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/inside.tflite", withDestinationPath: "own.tflite")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/out.tflite", withDestinationPath: secret)
        // Not the same folder, though its path begins alike.
        let beside = folder.path + "-beside"
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/beside.tflite", withDestinationPath: beside)
        try Data("----TFL3".utf8).write(to: URL(fileURLWithPath: beside))
        defer { try? FileManager.default.removeItem(atPath: beside) }
        let source = try HostedModelsFolder(folder.path)
        #expect(source.models.map(\.name) == ["inside", "own"])
        #expect(source.ignored.map(\.file) == ["beside.tflite", "out.tflite"])
        #expect(source.ignored.allSatisfy { $0.reason.contains("a link to something outside the folder") })
    }

    @Test("A missing folder is an error")
    func missing() {
        #expect(throws: (any Error).self) { try HostedModelsFolder(folder.path + "/none") }
    }
}

import Foundation
import HearthTestSupport
import Testing

@testable import HearthFirebaseImport

@Suite struct ImportFolderTests {
    private let files: TemporaryFolder
    private let folder: ImportFolder

    init() throws {
        files = try TemporaryFolder()
        folder = ImportFolder(files.path + "/kept")
    }

    private func put(_ text: String, _ name: String) throws { _ = try files.write(text.utf8, to: "kept/" + name) }

    @Test("Only its owner may read it")
    func permissions() throws {
        _ = try folder.lock(for: "project-a")
        try folder.save(.object([:]), "a")
        try folder.save(versions: [], "firebase")
        try folder.save(template: .object([:]), "firebase", 1)
        for name in ["", "/models", "/remote-config/firebase", "/firebase.json", "/models/a.json"] {
            let facts = try FileManager.default.attributesOfItem(atPath: folder.path + name)
            #expect((facts[.posixPermissions] as? Int).map { $0 & 0o077 } == 0, "\(name)")
        }
    }

    @Test("Two imports at once, another project and a newer form are refused")
    func refusals() throws {
        do {
            let lock = try folder.lock(for: "project-a")
            let busy = #expect(throws: FirebaseError.self) { try folder.lock(for: "project-a") }
            #expect(busy?.message.contains("Another import uses") == true)
            withExtendedLifetime(lock) {}
        }
        let other = try #require(throws: FirebaseError.self) { try ImportFolder(folder.path).lock(for: nil) }
        #expect(other.message.contains("from the project project-a, not from a command of the console"))
        try put(#"{"projectID":"project-a","format":2}"#, "firebase.json")
        #expect(throws: FirebaseError.self) { try folder.about() }
    }

    @Test("Links out of the folder are neither read nor written through")
    func links() throws {
        let elsewhere = try TemporaryFolder()
        _ = try folder.lock(for: "project-a")
        for name in ["model", "a.json"] { _ = try elsewhere.write("{}".utf8, to: name) }
        try put(#"{"displayName":"a"}"#, "models/a.json")
        let link = FileManager.default.createSymbolicLink(atPath:withDestinationPath:)
        try link(folder.path + "/models/a.tflite", elsewhere.path + "/model")
        try link(folder.path + "/models/b.json", elsewhere.path + "/a.json")
        try link(folder.path + "/remote-config", elsewhere.path)
        let sources = try folder.sources()
        #expect(sources.models.isEmpty && sources.damaged.map(\.subject).contains("b"))
        #expect(throws: FirebaseError.self) { try folder.templateNumbers("firebase") }
        let refusal = #expect(throws: FirebaseError.self) { try folder.save(versions: [], "firebase") }
        #expect(refusal?.message.contains("is a link to something outside the folder") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).sorted() == ["a.json", "model"])
    }

    @Test("A damaged part of the folder is named and hides no other part")
    func damaged() throws {
        for name in ["a", "b", "c"] { try put("bytes", "models/\(name).tflite") }
        try put(#"{"displayName":"a"}"#, "models/a.json")
        try put(#"{"displayName":"#, "models/b.json")
        let sources = try folder.sources()
        #expect(sources.models.map(\.name) == ["a"])
        #expect(sources.damaged.map(\.subject) == ["b", "c"])
    }

    @Test(
        "A model whose bytes went out of the folder is damaged, however it came",
        arguments: [
            #"{"displayName":"a","tfliteModel":{"gcsTfliteUri":"gs://b/a"}}"#,
            #"{"displayName":"a","source":"https://s.example/a"}"#,
            #"{"displayName":"a","modelHash":"h","state":{"published":true}}"#,
        ])
    func missingBytes(about: String) throws {
        try put(about, "models/a.json")
        try put("\(String(repeating: "0", count: 64))  a.tflite\n", "models/a.sha256")
        let sources = try folder.sources()
        #expect(sources.withoutBytes.isEmpty)
        #expect(
            sources.damaged.first?.reason.contains("file in the folder is missing. Run the import with its source")
                == true)
        if about.contains("modelHash") { return }
        try FileManager.default.removeItem(atPath: folder.path + "/models/a.sha256")
        #expect(try folder.sources().damaged.count == 1, "the description says enough")
    }

    @Test("The advice about a model without bytes fits what the command has", arguments: [true, false])
    func withoutBytes(hasPlist: Bool) throws {
        try put(#"{"displayName":"a","tfliteModel":{"automlModel":"m"}}"#, "models/a.json")
        try put(
            #"{"displayName":"b","tfliteModel":{"gcsTfliteUri":"g"},"state":{"validationError":{}}}"#, "models/b.json")
        let sources = try folder.sources(hasPlist: hasPlist)
        #expect(sources.damaged.isEmpty)
        #expect(sources.withoutBytes.map(\.subject) == ["a", "b"])
        #expect(sources.withoutBytes[0].reason.contains("Publish it in the console"))
        #expect(sources.withoutBytes[0].reason.contains("--plist") == !hasPlist)
    }
}

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
        _ = try folder.open(for: "project-a")
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
        let lock = try folder.open(for: "project-a")
        let busy = #expect(throws: FirebaseError.self) { try folder.open(for: "project-a") }
        #expect(busy?.message.contains("Another import uses") == true)
        withExtendedLifetime(lock) {}
        try #require(throws: FirebaseError.self) { try ImportFolder(folder.path).open(for: "project-b") }
        try put(#"{"projectID":"project-a","format":2}"#, "firebase.json")
        #expect(throws: FirebaseError.self) { try folder.about() }
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
}

import HearthCatalog
import HearthStorage
import Testing

@testable import HearthStorageTestSupport

@Suite("Metadata: rehearsals and their images") struct MetadataRehearsalTests {
    private func makeStore(_ kind: MetadataKind) throws -> any MetadataStore {
        let store = try kind.makeStore()
        try store.write { store in
            try store.insert(Records.model(7, "flowers"))
            try store.insert(Records.model(8, "trees", project: "project-b"))
        }
        return store
    }

    private func image(_ name: String, model: Int64 = 7, sha256: String = "hash", label: String? = "daisy")
        -> RehearsalImage
    {
        RehearsalImage(
            modelID: model, name: name, sha256: sha256, sizeBytes: 1 << 40, label: label, createdMicroseconds: 31,
            createdBy: "ann@example.test")
    }

    private func record(_ candidate: String, model: Int64 = 7, set: String = "set", created: Int64 = 32)
        -> RehearsalRecord
    {
        RehearsalRecord(
            modelID: model, candidateSHA256: candidate, baselineSHA256: "base", imageSet: set, candidateVersion: 2,
            baselineVersion: 1, summaryJSON: "{\"s\":1}", imagesJSON: "[1]", createdMicroseconds: created,
            createdBy: "ann@example.test")
    }

    @Test("Images by name, replaced by name, of each model alone", arguments: MetadataKind.allCases)
    func images(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        let (a, b, other) = (image("a/1.jpg"), image("b.jpg", label: nil), image("a/1.jpg", model: 8, sha256: "other"))
        try store.write { store in for image in [b, a, other] { try store.put(image) } }
        try store.read { (store) throws in
            #expect(try store.rehearsalImages(model: 7) == [a, b])
            #expect(try store.rehearsalImage("a/1.jpg", model: 8) == other)
            #expect(try store.rehearsalImage("c", model: 7) == nil)
            #expect(try store.rehearsalImageHashes() == ["hash", "other"])
        }
        let changed = image("b.jpg", sha256: "new", label: "rose")
        try store.write { store in
            try store.put(changed)
            try store.delete(a)
            #expect(throws: StorageError.self) { try store.delete(a) }
        }
        #expect(try store.read { try $0.rehearsalImages(model: 7) } == [changed])
        #expect(try store.read { try $0.models(withRehearsalImages: 1).map(\.id) } == [7, 8])
        #expect(try store.read { try $0.models(withRehearsalImages: 2) }.isEmpty)
        #expect(throws: StorageError.self) { try store.write { try $0.put(image("x", model: 99)) } }
    }

    @Test(
        "The bytes of images count as referenced until the image or its model is deleted",
        arguments: MetadataKind.allCases)
    func referenced(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        try store.write { store in
            try store.put(image("a"))
            try store.put(image("b", sha256: "second"))
            try store.put(record("two"))
        }
        try store.read { (store) throws in
            #expect(try store.referencedHashes().isSuperset(of: ["hash", "second"]))
            #expect(try store.isReferenced(sha256: "hash") && store.isRehearsalImage(sha256: "hash"))
            #expect(try !store.isRehearsalImage(sha256: "third"))
        }
        try store.write { try $0.delete(image("a")) }
        #expect(try store.read { try !$0.isReferenced(sha256: "hash") && $0.isReferenced(sha256: "second") })
        try store.write { try $0.delete(Records.model(7, "flowers")) }
        try store.read { (store) throws in
            #expect(try store.rehearsalImageHashes().isEmpty)
            #expect(try store.rehearsals(model: 7).isEmpty)
        }
    }

    @Test("Results by files and images; only the newest are kept", arguments: MetadataKind.allCases)
    func results(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        try store.write { store in
            try store.put(record("other", model: 8), keeping: 2)
            for (name, time) in [("one", 1), ("two", 2), ("three", 3)] as [(String, Int64)] {
                try store.put(record(name, created: time), keeping: 2)
            }
        }
        try store.read { (store) throws in
            #expect(try store.rehearsals(model: 7).map(\.candidateSHA256) == ["three", "two"])
            #expect(
                try store.rehearsals(model: 7).allSatisfy { $0.imagesJSON.isEmpty && $0.summaryJSON == "{\"s\":1}" })
            #expect(try store.rehearsals(model: 8).count == 1)
            let found = try store.rehearsal(candidate: "two", baseline: "base", imageSet: "set", model: 7)
            #expect(found == record("two", created: 2))
            #expect(try store.rehearsal(candidate: "two", baseline: "", imageSet: "set", model: 7) == nil)
            #expect(try store.rehearsal(candidate: "two", baseline: "base", imageSet: "x", model: 7) == nil)
        }
        var again = record("two", created: 4)
        again.summaryJSON = "{}"
        try store.write { try $0.put(again, keeping: 2) }
        #expect(try store.read { try $0.rehearsals(model: 7).map(\.candidateSHA256) } == ["two", "three"])
    }

    @Test("What a model requires is stored", arguments: MetadataKind.allCases)
    func gate(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        var model = Records.model(7, "flowers")
        #expect(model.rehearsalGate != nil && model.rehearsalCheck == .refuse)
        #expect(try store.read { try $0.model(id: 7, project: "project-a") } == model)
        (model.rehearsalGate, model.rehearsalCheck) = (nil, .warn)
        try store.write { try $0.update(model) }
        #expect(try store.read { try $0.model(id: 7, project: "project-a") } == model)
    }

    @Test("The digest of a set changes with names, bytes and answers, and not with the order")
    func digest() {
        let (a, b) = (image("a"), image("b", sha256: "x"))
        let digest = RehearsalImageSet.digest(of: [a, b])
        #expect(RehearsalImageSet.digest(of: [b, a]) == digest)
        for other in [
            [a], [a, image("b", sha256: "y")], [a, image("c", sha256: "x")], [a, image("b", sha256: "x", label: "z")],
        ] {
            #expect(RehearsalImageSet.digest(of: other) != digest)
        }
    }
}

extension MetadataWriter {
    fileprivate func put(_ rehearsal: RehearsalRecord) throws { try put(rehearsal, keeping: 10) }
}

import HearthCatalog
import HearthStorage
import Testing

@testable import HearthStorageTestSupport

@Suite("Metadata: notes and aliases") struct MetadataAliasTests {
    private func makeStore(_ kind: MetadataKind) throws -> any MetadataStore {
        let store = try kind.makeStore()
        try store.write { store in
            for (id, name) in [(Int64(7), "flowers"), (8, "digits")] {
                try store.insert(Records.model(id, name))
                for number in 1...2 { try store.insert(Records.version(number, model: id)) }
            }
        }
        return store
    }

    private func alias(_ name: String, _ version: Int, of model: Int64 = 7, at microseconds: Int64 = 5) -> VersionAlias
    {
        VersionAlias(
            modelID: model, name: name, version: version, movedMicroseconds: microseconds, movedBy: "ann@example.test")
    }

    @Test(
        "In order of name; a model has each alias once, and moves it; devices' snapshots stay as they are",
        arguments: MetadataKind.allCases)
    func put(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        let revision = store.servingRevision
        try store.write { store in
            for alias in [alias("stable", 1), alias("champion", 2), alias("champion", 1, of: 8)] {
                try store.put(alias)
            }
        }
        #expect(try store.read { try $0.aliases(model: 7) } == [alias("champion", 2), alias("stable", 1)])
        try store.write { try $0.put(alias("champion", 1, at: 9)) }
        #expect(try store.read { try $0.aliases(model: 7) } == [alias("champion", 1, at: 9), alias("stable", 1)])
        #expect(try store.read { try $0.aliases(model: 8) } == [alias("champion", 1, of: 8)])
        try store.write { try $0.delete(alias("champion", 1)) }
        #expect(try store.read { try $0.aliases(model: 7) } == [alias("stable", 1)])
        #expect(try store.read { try $0.aliases(model: 8) }.count == 1)
        #expect(code { try store.write { try $0.delete(alias("champion", 1)) } } == .notFound)
        #expect(store.servingRevision == revision)
    }

    @Test("Only a version that is there gets an alias, and both go with the model", arguments: MetadataKind.allCases)
    func owners(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        for alias in [alias("champion", 3), alias("champion", 1, of: 9)] {
            #expect(code { try store.write { try $0.put(alias) } } == .conflict)
        }
        try store.write { store in
            try store.put(alias("champion", 1))
            try store.put(alias("champion", 1, of: 8))
            try store.delete(Records.model(7, "flowers"))
        }
        #expect(try store.read { try $0.aliases(model: 7) } == [])
        #expect(try store.read { try $0.aliases(model: 8) }.count == 1)
    }

    @Test("A version has one note, which can change and go", arguments: MetadataKind.allCases)
    func note(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        func notes() throws -> [String?] { try store.read { try $0.versions(model: 7).map(\.note) } }
        #expect(try notes() == [nil, nil])
        try store.write { try $0.setNote("May's images", version: 2, model: 7) }
        #expect(try notes() == [nil, "May's images"])
        #expect(try store.read { try $0.version(2, model: 7)?.note } == "May's images")
        #expect(try store.read { try $0.version(2, model: 8)?.note } == nil)
        try store.write { try $0.setNote(nil, version: 2, model: 7) }
        #expect(try notes() == [nil, nil])
        #expect(code { try store.write { try $0.setNote("x", version: 3, model: 7) } } == .notFound)
        var third = Records.version(3, model: 7)
        third.note = "June's images"
        try store.write { try $0.insert(third) }
        #expect(try store.read { try $0.version(3, model: 7) } == third)
    }
}

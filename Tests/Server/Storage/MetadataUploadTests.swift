import HearthCatalog
import HearthStorage
import Testing

@testable import HearthStorageTestSupport

@Suite("Metadata: uploads and verdicts") struct MetadataUploadTests {
    @Test("A project's files, in order; a deleted one is gone", arguments: MetadataKind.allCases)
    func objects(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let (a, b) = (Records.object("a"), Records.object("b"))
        try store.write { store in
            for object in [b, Records.object("a", project: "project-b"), a] { try store.put(object) }
        }
        #expect(try store.read { try $0.objects(project: "project-a") } == [a, b])
        try store.write { try $0.delete(a) }
        #expect(try store.read { try $0.objects(project: "project-a") } == [b])
        #expect(try store.read { try $0.objects(project: "project-b").count } == 1)
    }

    @Test("Verdicts: one for each hash, pending ones in the order asked for", arguments: MetadataKind.allCases)
    func validations(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let known = [
            Records.validation("a", .pending, requested: 9), Records.validation("b", .ok),
            Records.validation("c", .unsupported("no WHERE")), Records.validation("d", .malformed("")),
            Records.validation("e", .pending, requested: 8),
        ]
        try store.write { store in for validation in known { try store.put(validation) } }
        try store.read { (store) throws in
            #expect(try store.validations() == known)
            #expect(try store.pendingValidations() == [known[4], known[0]])
            #expect(try store.validation(sha256: "c") == known[2])
            #expect(try store.validation(sha256: "f") == nil)
        }
        var bare = Records.validation("a", .ok)
        (bare.contractJSON, bare.measurementsJSON, bare.finishedMicroseconds) = (nil, nil, nil)
        try store.write { [bare] store in
            try store.put(bare)
            try store.delete(known[1])
        }
        #expect(try store.read { try $0.validations() } == [bare] + known[2...])
        #expect(try store.read { try $0.pendingValidations() } == [known[4]])
    }

    @Test("Why there is no verdict, and whether one may change, are kept", arguments: MetadataKind.allCases)
    func notes(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        var pending = Records.validation("a", .pending)
        pending.note = "The check could not be run."
        var slow = Records.validation("b", .malformed("It took too long."))
        slow.isProvisional = true
        try store.write { [pending, slow] store in
            try store.put(pending)
            try store.put(slow)
        }
        #expect(try store.read { try $0.validations() } == [pending, slow])
    }

    @Test("Whether anything has some bytes, and which files versions were made from", arguments: MetadataKind.allCases)
    func uses(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        var begun = Records.session("s")
        (begun.sha256, begun.finishedMicroseconds) = ("hash 4", nil)
        try store.write { [begun] store in
            try store.insert(Records.model(7, "flowers"))
            try store.insert(Records.version(1, model: 7))
            try store.put(Records.object("x", sha256: "hash 1"))
            try store.put(Records.object("y", sha256: "hash 2"))
            try store.insert(begun)
            try store.put(Records.validation("hash 5", .ok))
        }
        try store.read { (store) throws in
            let hashes = try (1...5).map { "hash \($0)" }.filter { try store.isReferenced(sha256: $0) }
            #expect(hashes == ["hash 1", "hash 2", "hash 4"])
            #expect(try store.hasVersion(of: Records.object("x", sha256: "hash 1")))
            for other in [
                Records.object("x", sha256: "hash 2"), Records.object("y", sha256: "hash 1"),
                Records.object("x", project: "project-b", sha256: "hash 1"),
            ] {
                #expect(try !store.hasVersion(of: other))
            }
        }
    }

    @Test("The length of a file, by its validation or as an image", arguments: MetadataKind.allCases)
    func recordedSizes(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { store in
            try store.insert(Records.model(7, "flowers"))
            try store.put(Records.validation("hash 1", .ok))
            try store.put(
                RehearsalImage(
                    modelID: 7, name: "a", sha256: "hash 2", sizeBytes: 1 << 40, label: nil, createdMicroseconds: 1,
                    createdBy: "ann@example.test"))
        }
        let sizes = try store.read { store in
            try (1...3).map { try store.recordedSize(sha256: "hash \($0)") }
        }
        #expect(sizes == [26, 1 << 40, nil])
    }

    @Test("Hashes that something needs", arguments: MetadataKind.allCases)
    func references(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { store in
            try store.insert(Records.model(7, "flowers"))
            for number in 1...2 { try store.insert(Records.version(number, model: 7)) }
            try store.put(Records.object("a", sha256: "hash 2"))
            try store.put(Records.object("b", project: "project-b", sha256: "hash 3"))
            try store.put(Records.validation("hash 4", .ok))
        }
        #expect(try store.read { try $0.referencedHashes() } == ["hash 1", "hash 2", "hash 3"])
        try store.write { try $0.delete(Records.model(7, "flowers")) }
        #expect(try store.read { try $0.referencedHashes() } == ["hash 2", "hash 3"])
    }

    @Test("Resumable uploads", arguments: MetadataKind.allCases)
    func sessions(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let older = Records.session("b", created: 1)
        var newer = Records.session("a", project: "project-b", created: 2)
        (newer.totalBytes, newer.crc32c) = (nil, nil)
        try store.write { [newer] store in
            try store.insert(newer)
            try store.insert(older)
        }
        try store.read { (store) throws in
            #expect(try store.uploadSession(id: "a") == newer)
            #expect(try store.uploadSession(id: "c") == nil)
            #expect(try store.uploadSessions() == [older, newer])
        }
        newer.touchedMicroseconds = 99
        try store.write { [newer] store in
            try store.update(newer)
            try store.delete(older)
        }
        #expect(try store.read { try $0.uploadSessions() } == [newer])
    }
}

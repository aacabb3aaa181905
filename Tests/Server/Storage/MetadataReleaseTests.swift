import HearthCatalog
import HearthStorage
import Testing

@testable import HearthStorageTestSupport

@Suite("Metadata: releases") struct MetadataReleaseTests {
    private func makeStore(_ kind: MetadataKind) throws -> any MetadataStore {
        let store = try kind.makeStore()
        try store.write { store in
            try store.insert(Records.model(7, "flowers"))
            try store.insert(Records.model(8, "trees", project: "project-b"))
            for model in [7, 8] as [Int64] {
                for number in 1...2 { try store.insert(Records.version(number, model: model)) }
            }
        }
        return store
    }

    @Test("By number, and all, newest first", arguments: MetadataKind.allCases)
    func lookUp(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        let releases = (1...3).map { Records.release($0, model: 7, ended: $0 == 1 ? 99 : nil) }
        try store.write { store in for release in releases { try store.insert(release) } }
        try store.read { (store) throws in
            #expect(try store.release(2, model: 7) == releases[1])
            #expect(try store.release(4, model: 7) == nil)
            #expect(try store.release(1, model: 8) == nil)
            #expect(try store.releases(model: 7) == releases.reversed())
        }
    }

    @Test("An update replaces every field", arguments: MetadataKind.allCases)
    func update(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        let plain = Release(
            modelID: 7, number: 1, version: 2, kind: .rollback, createdMicroseconds: 1, createdBy: "bob@example.test")
        try store.write { try $0.insert(Records.release(1, model: 7)) }
        try store.write { try $0.update(plain) }
        #expect(try store.read { try $0.release(1, model: 7) } == plain)
    }

    @Test("What is served: releases that have not ended, with their version's bytes", arguments: MetadataKind.allCases)
    func served(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        let (first, second) = (Records.release(1, model: 7), Records.release(2, model: 7, version: 2))
        let other = Records.release(4, model: 8)
        try store.write { store in
            for release in [other, first, second, Records.release(3, model: 7, ended: 1)] { try store.insert(release) }
        }
        let expected = [
            ServedRelease(
                projectID: "project-a", displayName: "flowers", release: second, sha256: "hash 2", sizeBytes: 1 << 40),
            ServedRelease(
                projectID: "project-a", displayName: "flowers", release: first, sha256: "hash 1", sizeBytes: 1 << 40),
            ServedRelease(
                projectID: "project-b", displayName: "trees", release: other, sha256: "hash 1", sizeBytes: 1 << 40),
        ]
        #expect(try store.read { try $0.servedReleases() } == expected)
        try store.write { try $0.delete(Records.model(7, "flowers")) }
        #expect(try store.read { try $0.servedReleases() } == [expected[2]])
    }

    @Test("Models that wait for a verdict", arguments: MetadataKind.allCases)
    func waiting(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        var (flowers, trees) = (Records.model(7, "flowers"), Records.model(8, "trees", project: "project-b"))
        (flowers.publishWhenValidated, trees.publishWhenValidated) = (2, 1)
        try store.write { [flowers, trees] store in
            try store.update(flowers)
            try store.update(trees)
        }
        try store.read { (store) throws in
            #expect(try store.modelsToPublish(sha256: "hash 2") == [flowers])
            #expect(try store.modelsToPublish(sha256: "hash 1") == [trees])
            #expect(try store.modelsToPublish(sha256: "hash 3").isEmpty)
        }
    }

    @Test(
        "The serving revision grows with what a snapshot shows, and with nothing else", arguments: MetadataKind.allCases
    )
    func revision(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        typealias Step = (any MetadataWriter) throws -> Void
        let shown: [Step] = [
            { try $0.insert(Records.project("project-c", number: 3)) },
            { try $0.insert(Records.account("ann@example.test")) },
            { try $0.update(Records.account("ann@example.test", role: .viewer)) },
            { try $0.insert(Records.accountKey("k", email: "ann@example.test", clientID: "1")) },
            { try $0.update(Records.accountKey("k", email: "ann@example.test", clientID: "1")) },
            { try $0.insert(Records.apiKey("a")) }, { try $0.update(Records.apiKey("a")) },
            { try $0.insert(Records.token("t")) }, { try $0.update(Records.token("t")) },
            { try $0.insert(Records.model(9, "new")) }, { try $0.update(Records.model(9, "renamed")) },
            { try $0.insert(Records.version(1, model: 9)) }, { try $0.insert(Records.release(1, model: 9)) },
            { try $0.update(Records.release(1, model: 9)) }, { try $0.delete(Records.model(9, "renamed")) },
        ]
        for (index, step) in shown.enumerated() {
            let before = store.servingRevision
            try store.write(step)
            #expect(store.servingRevision > before, "step \(index)")
        }
        let hidden: [Step] = [
            { try $0.insert(Records.installation("f")) }, { try $0.delete(Records.installation("f")) },
            { try $0.put(Records.object("o")) }, { try $0.put(Records.validation("hash", .pending)) },
            { try $0.insert(Records.session("s")) }, { try $0.append(Records.entry("x")) },
            { _ = try $0.nextModelID() },
        ]
        let before = store.servingRevision
        for step in hidden { try store.write(step) }
        struct Refusal: Error {}
        try? store.write { store in
            try store.insert(Records.model(10, "never"))
            throw Refusal()
        }
        #expect(store.servingRevision == before)
    }
}

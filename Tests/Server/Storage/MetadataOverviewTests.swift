import HearthCatalog
import HearthStorage
import Testing

@testable import HearthStorageTestSupport

@Suite("Metadata: the overview of a project") struct MetadataOverviewTests {
    private static let crash = Verdict.unsupported("\(Verdict.crashText) (signal 11).")

    /// A model with one version, whose file has the hash `hash NAME`.
    private func add(
        _ id: Int64, _ name: String, _ verdict: Verdict, project: String = "project-a", released: Bool = false,
        gate: String? = nil, to store: any MetadataWriter
    ) throws {
        var model = Records.model(id, name, project: project)
        (model.newestVersion, model.releasedVersion, model.publishWhenValidated) = (1, released ? 1 : nil, nil)
        (model.isPublished, model.rehearsalGate) = (released, gate)
        try store.insert(model)
        var version = Records.version(1, model: id)
        version.sha256 = "hash \(name)"
        version.createdMicroseconds = id
        try store.insert(version)
        try store.put(Records.validation(version.sha256, verdict, requested: 100 - id))
    }

    @Test("Installations are counted when they come and go, also with their project", arguments: MetadataKind.allCases)
    func counts(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        func counts(_ project: String = "project-a") throws -> ProjectCounts {
            try store.read { try $0.counts(project: project) }
        }
        #expect(try counts() == ProjectCounts(models: 0, publishedModels: 0, installations: 0))
        try store.write { store in
            for fid in ["a", "b", "c"] { try store.insert(Records.installation(fid)) }
            try store.insert(Records.installation("a", project: "project-b"))
            try add(1, "one", .ok, released: true, to: store)
            try add(2, "two", .ok, to: store)
        }
        #expect(try counts() == ProjectCounts(models: 2, publishedModels: 1, installations: 3))
        #expect(throws: StorageError.self) { try store.write { try $0.insert(Records.installation("a")) } }
        try store.write { try $0.delete(Records.installation("a")) }
        #expect(try counts().installations == 2)
        #expect(try store.read { try $0.installationCount(project: "project-a") } == 2)
        try store.write { store in
            try store.delete(try #require(try store.project(id: "project-b")))
            try store.insert(Records.project("project-b", number: 2))
        }
        #expect(try counts("project-b").installations == 0)
    }

    @Test("Releases that people ended, and not those that another one replaced", arguments: MetadataKind.allCases)
    func ended(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        func release(_ number: Int, of model: Int64 = 1, ended: Int64?) -> Release {
            Records.release(number, model: model, ended: ended)
        }
        func entry(_ action: String, _ time: Int64, _ model: Int64 = 1, project: String = "project-a") -> AuditEntry {
            AuditEntry(
                projectID: project, actor: "ann", action: action, subject: "models/\(model)", detail: "",
                atMicroseconds: time)
        }
        try store.write { store in
            try add(1, "one", .ok, to: store)
            try add(2, "two", .ok, project: "project-b", to: store)
            for (number, time) in [(1, 50), (2, 100), (3, 110), (4, 120), (5, 120), (6, nil)] as [(Int, Int64?)] {
                try store.insert(release(number, ended: time))
            }
            try store.insert(release(1, of: 2, ended: 100))
            for entry in [
                entry("release.end", 50), entry("release.end", 100), entry("release.publish", 110),
                entry("model.unpublish", 120), entry("release.end", 100, 2, project: "project-b"),
                entry("release.end", 100, 9),
            ] {
                try store.append(entry)
            }
        }
        func found(since: Int64, limit: Int = 9) throws -> [Int] {
            try store.read {
                try $0.endedReleases(project: "project-a", sinceMicroseconds: since, limit: limit)
                    .map(\.release.number)
            }
        }
        #expect(try found(since: 100) == [5, 4, 2])
        #expect(try found(since: 0, limit: 2) == [5, 4])
        #expect(try found(since: 0) == [5, 4, 2, 1])
        let first = try store.read {
            try #require($0.endedReleases(project: "project-a", sinceMicroseconds: 100, limit: 1).first)
        }
        #expect(
            first
                == EndedRelease(
                    displayName: "one", release: release(5, ended: 120), actor: "ann", action: "model.unpublish"))
    }

    @Test("Newest versions that are malformed or crashed here", arguments: MetadataKind.allCases)
    func failed(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { store in
            try add(1, "good", .ok, to: store)
            try add(2, "broken", .malformed("cut short"), to: store)
            try add(3, "crashing", Self.crash, to: store)
            try add(4, "accepted", Self.crash, released: true, to: store)
            try add(5, "exotic", .unsupported("no WHERE"), to: store)
            try add(6, "elsewhere", .malformed("cut short"), project: "project-b", to: store)
            try add(7, "mended", .malformed("cut short"), to: store)
            try store.insert(Records.version(2, model: 7))
            try store.put(Records.validation("hash 2", .ok))
            var mended = try #require(try store.model(id: 7, project: "project-a"))
            mended.newestVersion = 2
            try store.update(mended)
        }
        let found = try store.read { try $0.failedVersions(project: "project-a", limit: 9) }
        #expect(found.map(\.version.displayName) == ["crashing", "broken"])
        #expect(found.last?.reason == "cut short")
        #expect(
            found.last?.version
                == HeldVersion(
                    modelID: 2, displayName: "broken", version: 1, createdMicroseconds: 2))
        #expect(try store.read { try $0.failedVersions(project: "project-a", limit: 1).count } == 1)
    }

    @Test(
        "The newest rehearsal of a version that is not released, of models that require one",
        arguments: MetadataKind.allCases)
    func gated(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        func rehearsal(_ model: Int64, _ name: String, _ summary: String, _ time: Int64) -> RehearsalRecord {
            RehearsalRecord(
                modelID: model, candidateSHA256: "hash \(name)", baselineSHA256: "", imageSet: summary,
                candidateVersion: 1, baselineVersion: nil, summaryJSON: summary, imagesJSON: "[]",
                createdMicroseconds: time, createdBy: "ann")
        }
        try store.write { store in
            try add(1, "gated", .ok, gate: "agreement=90%", to: store)
            try add(2, "free", .ok, to: store)
            try add(3, "released", .ok, released: true, gate: "agreement=90%", to: store)
            try add(4, "unrehearsed", .ok, gate: "agreement=90%", to: store)
            for record in [
                rehearsal(1, "gated", "newer", 20), rehearsal(1, "gated", "older", 10), rehearsal(1, "x", "other", 30),
                rehearsal(2, "free", "s", 1), rehearsal(3, "released", "s", 1),
            ] {
                try store.put(record, keeping: 9)
            }
        }
        #expect(
            try store.read { try $0.gatedVersions(project: "project-a", limit: 9) } == [
                GatedVersion(
                    version: HeldVersion(modelID: 1, displayName: "gated", version: 1, createdMicroseconds: 1),
                    gate: "agreement=90%", summaryJSON: "newer")
            ])
    }

    @Test("Files that wait: of versions, and of uploads without one", arguments: MetadataKind.allCases)
    func pending(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { store in
            try add(1, "one", .pending, to: store)
            try add(2, "two", .ok, to: store)
            try add(3, "elsewhere", .pending, project: "project-b", to: store)
            try store.put(Records.object("upload", sha256: "hash upload"))
            try store.put(Records.object("of one", sha256: "hash one"))
            try store.put(Records.validation("hash upload", .pending, requested: 1))
            try store.put(Records.validation("hash nobody", .pending, requested: 1))
        }
        let one = HeldVersion(modelID: 1, displayName: "one", version: 1, createdMicroseconds: 1)
        #expect(
            try store.read { try $0.pendingFiles(project: "project-a") } == [
                PendingFile(sha256: "hash upload", requestedMicroseconds: 1, note: nil, version: nil),
                PendingFile(sha256: "hash one", requestedMicroseconds: 99, note: nil, version: one),
            ])
    }

    @Test("The names of models with their tags", arguments: MetadataKind.allCases)
    func names(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { store in
            try add(2, "two", .ok, to: store)
            try add(1, "one", .ok, to: store)
            try add(3, "elsewhere", .ok, project: "project-b", to: store)
        }
        #expect(
            try store.read { try $0.modelNames(project: "project-a") } == [
                SearchableModel(id: 1, displayName: "one", tags: ["t1", "t2"]),
                SearchableModel(id: 2, displayName: "two", tags: ["t1", "t2"]),
            ])
    }
}

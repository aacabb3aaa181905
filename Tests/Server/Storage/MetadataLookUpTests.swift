import HearthCatalog
import HearthStorage
import Testing

@testable import HearthStorageTestSupport

@Suite("Metadata: each look-up and change") struct MetadataLookUpTests {
    @Test("Projects", arguments: MetadataKind.allCases)
    func projects(kind: MetadataKind) throws {
        let store = try kind.makeEmptyStore()
        #expect(try store.read { try $0.projects() }.isEmpty)
        let (a, b) = (Records.project("project-a", number: 2), Records.project("project-b", number: 1))
        try store.write { store in
            try store.insert(b)
            try store.insert(a)
            #expect(try store.projects() == [a, b], "a writer sees its own changes")
        }
        try store.read { (store) throws in
            #expect(try store.projects() == [a, b])
            #expect(try store.project(id: "project-a") == a)
            #expect(try store.project(id: "project-c") == nil)
            #expect(try store.project(id: "Project-a") == nil)
        }
    }

    @Test("Models, by id and by display name, inside their project only", arguments: MetadataKind.allCases)
    func models(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let flowers = Records.model(7, "flowers")
        var bare = Records.model(8, "bare")
        (bare.tags, bare.newestVersion, bare.releasedVersion, bare.publishWhenValidated) = ([], nil, nil, nil)
        (bare.isPublished, bare.contractCheck) = (false, .warn)
        try store.write { store in
            try store.insert(flowers)
            try store.insert(bare)
        }
        try store.read { (store) throws in
            #expect(try store.model(id: 7, project: "project-a") == flowers)
            #expect(try store.model(id: 8, project: "project-a") == bare)
            #expect(try store.model(displayName: "flowers", project: "project-a") == flowers)
            #expect(try store.model(displayName: "Flowers", project: "project-a") == nil)
            #expect(try store.model(displayName: "7", project: "project-a") == nil)
            #expect(try store.model(id: 9, project: "project-a") == nil)
            #expect(try store.model(id: 7, project: "project-b") == nil)
            #expect(try store.model(displayName: "flowers", project: "project-b") == nil)
        }
    }

    @Test("A list goes on where the last page ended", arguments: MetadataKind.allCases)
    func list(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { store in
            for id in [5, 1, 3, 2, 4] as [Int64] { try store.insert(Records.model(id, "model-\(id)")) }
            try store.insert(Records.model(6, "elsewhere", project: "project-b"))
        }
        func ids(after: Int64, limit: Int) throws -> [Int64] {
            try store.read { try $0.models(project: "project-a", after: after, limit: limit).map(\.id) }
        }
        #expect(try ids(after: 0, limit: 2) == [1, 2])
        #expect(try ids(after: 2, limit: 2) == [3, 4])
        #expect(try ids(after: 4, limit: 2) == [5])
        #expect(try ids(after: 5, limit: 2).isEmpty)
        #expect(try ids(after: 0, limit: 0).isEmpty)
        #expect(try ids(after: .max, limit: 100).isEmpty)
        #expect(try ids(after: 0, limit: 100) == [1, 2, 3, 4, 5])
    }

    @Test("An update replaces every field", arguments: MetadataKind.allCases)
    func update(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let old = Records.model(7, "flowers")
        let new = Model(
            id: 7, projectID: "project-a", displayName: "trees", tags: ["x"], newestVersion: 30, isPublished: false,
            releasedVersion: nil, publishWhenValidated: nil, contractCheck: .warn, revision: 40,
            createdMicroseconds: 50, updatedMicroseconds: 60)
        try store.write { try $0.insert(old) }
        try store.write { try $0.update(new) }
        #expect(try store.read { try $0.model(id: 7, project: "project-a") } == new)
        #expect(try store.read { try $0.model(displayName: "flowers", project: "project-a") } == nil)
    }

    @Test("Versions", arguments: MetadataKind.allCases)
    func versions(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let versions = (1...4).map { Records.version($0, model: 7) }
        try store.write { store in
            try store.insert(Records.model(7, "flowers"))
            try store.insert(Records.model(8, "trees"))
            for version in versions.reversed() { try store.insert(version) }
            try store.insert(Records.version(1, model: 8))
        }
        try store.read { (store) throws in
            #expect(try store.versions(model: 7) == versions)
            #expect(try store.version(2, model: 7) == versions[1])
            #expect(try store.version(5, model: 7) == nil)
            #expect(try store.versions(model: 9).isEmpty)
        }
    }

    @Test("Uploaded files: the last one under a name counts", arguments: MetadataKind.allCases)
    func objects(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let first = Records.object("a.tflite")
        let second = Records.object("a.tflite", sha256: "other")
        let foreign = Records.object("a.tflite", project: "project-b")
        try store.write { store in
            try store.put(first)
            try store.put(foreign)
            #expect(try store.object(bucket: "bucket", name: "a.tflite", project: "project-a") == first)
            try store.put(second)
        }
        try store.read { (store) throws in
            #expect(try store.object(bucket: "bucket", name: "a.tflite", project: "project-a") == second)
            #expect(try store.object(bucket: "bucket", name: "a.tflite", project: "project-b") == foreign)
            #expect(try store.object(bucket: "other", name: "a.tflite", project: "project-a") == nil)
            #expect(try store.object(bucket: "bucket", name: "A.tflite", project: "project-a") == nil)
        }
    }

    @Test(
        "The audit shows a project's own entries or all, newest first, page by page", arguments: MetadataKind.allCases)
    func audit(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { store in
            for number in 1...3 { try store.append(Records.entry("\(number)")) }
            try store.append(Records.entry("elsewhere", project: "project-b"))
        }
        try store.read { (store) throws in
            let all = [3, 2, 1].map { Records.entry("\($0)", id: $0) }
            #expect(try store.audit(project: "project-a", before: nil, limit: 10) == all)
            #expect(try store.audit(project: "project-a", before: nil, limit: 2) == Array(all.prefix(2)))
            #expect(try store.audit(project: "project-a", before: 3, limit: 10) == Array(all.dropFirst()))
            #expect(try store.audit(project: "project-a", before: 1, limit: 10).isEmpty)
            #expect(try store.audit(project: "project-c", before: nil, limit: 10).isEmpty)
            let elsewhere = Records.entry("elsewhere", project: "project-b", id: 4)
            #expect(try store.audit(project: nil, before: nil, limit: 10) == [elsewhere] + all)
        }
    }

    @Test("The audit is searched by whole values, an action also by its kind", arguments: MetadataKind.allCases)
    func auditFilter(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let actions = ["model", "model.create", "models.create", "mod", "a%l", "model.publish.refused"]
        try store.write { store in
            for (index, action) in actions.enumerated() {
                try store.append(
                    AuditEntry(
                        projectID: "project-a", actor: "a\(index % 2)", action: action, subject: "s\(index)",
                        detail: "d\(index)", atMicroseconds: Int64(index)))
            }
        }
        func found(_ change: (inout AuditFilter) -> Void) throws -> [Int64] {
            var filter = AuditFilter()
            change(&filter)
            return try store.read {
                try $0.audit(project: "project-a", matching: filter, before: 6, limit: 4).map(\.id)
            }
        }
        #expect(try found { _ in } == [5, 4, 3, 2])
        #expect(try found { $0.action = "model" } == [2, 1])
        #expect(
            try found { $0.action = "a%l" } == [5] && found { $0.action = "a_l" } == []
                && found { $0.action = "" } == [])
        #expect(try found { $0.actors = ["a1", "' OR 1=1"] } == [4, 2])
        #expect(try found { $0.subjects = ["s0", "s4"] } == [5, 1] && found { $0.detail = "d2" } == [3])
        #expect(try found { ($0.fromMicroseconds, $0.untilMicroseconds) = (1, 3) } == [3, 2])
    }
}

import HearthCatalog
import HearthStorage
import HearthWire
import Testing

@testable import HearthStorageTestSupport

@Suite("Metadata: what a store keeps true") struct MetadataRuleTests {
    private struct Refusal: Error {}

    @Test("Display names are unique in their project, and free again after delete", arguments: MetadataKind.allCases)
    func uniqueNames(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { store in
            try store.insert(Records.model(1, "flowers"))
            try store.insert(Records.model(2, "trees"))
            try store.insert(Records.model(3, "flowers", project: "project-b"))
            try store.insert(Records.model(4, "Flowers"))
        }
        #expect(code { try store.write { try $0.insert(Records.model(5, "flowers")) } } == .conflict)
        #expect(code { try store.write { try $0.update(Records.model(2, "flowers")) } } == .conflict)
        #expect(code { try store.write { try $0.insert(Records.model(1, "new")) } } == .conflict)
        try store.write { store in
            try store.update(Records.model(1, "flowers"))
            try store.delete(Records.model(1, "flowers"))
            try store.insert(Records.model(5, "flowers"))
        }
        #expect(try store.read { try $0.model(displayName: "flowers", project: "project-a")?.id } == 5)
    }

    @Test("Other unique values", arguments: MetadataKind.allCases)
    func uniqueValues(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { store in
            try store.insert(Records.account("ann@example.test"))
            try store.insert(Records.accountKey("k1", email: "ann@example.test", clientID: "1"))
            try store.insert(Records.apiKey("a1"))
            try store.insert(Records.token("t1"))
            try store.insert(Records.installation("f1"))
            try store.insert(Records.session("s1"))
            try store.insert(Records.model(1, "flowers"))
            try store.insert(Records.version(1, model: 1))
            try store.insert(Records.release(1, model: 1))
        }
        var sameSecret = Records.apiKey("a2")
        sameSecret.secretHash = Records.apiKey("a1").secretHash
        let changes: [(any MetadataWriter) throws -> Void] = [
            { try $0.insert(Records.project("project-a", number: 3)) },
            { try $0.insert(Records.project("project-c", number: 1)) },
            { try $0.insert(Records.account("ann@example.test", project: "project-b")) },
            { try $0.insert(Records.accountKey("k1", email: "ann@example.test", clientID: "2")) },
            { try $0.insert(Records.accountKey("k2", email: "ann@example.test", clientID: "1")) },
            { try $0.insert(Records.apiKey("a1", project: "project-b")) },
            { [sameSecret] in try $0.insert(sameSecret) },
            { try $0.insert(Records.token("t1", project: nil)) },
            { try $0.insert(Records.installation("f1")) },
            { try $0.insert(Records.session("s1")) },
            { try $0.insert(Records.version(1, model: 1)) },
            { try $0.insert(Records.release(1, model: 1)) },
        ]
        for change in changes {
            #expect(code { try store.write(change) } == .conflict)
        }
    }

    @Test("Nothing belongs to a project or a model that is not there", arguments: MetadataKind.allCases)
    func owners(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let changes: [(any MetadataWriter) throws -> Void] = [
            { try $0.insert(Records.model(1, "flowers", project: "project-c")) },
            { try $0.insert(Records.account("ann@example.test", project: "project-c")) },
            { try $0.insert(Records.accountKey("k1", email: "nobody@example.test", clientID: "1")) },
            { try $0.insert(Records.apiKey("a1", project: "project-c")) },
            { try $0.insert(Records.token("t1", project: "project-c")) },
            { try $0.insert(Records.installation("f1", project: "project-c")) },
            { try $0.insert(Records.session("s1", project: "project-c")) },
            { try $0.insert(Records.version(1, model: 1)) },
            { try $0.insert(Records.release(1, model: 1)) },
            { try $0.put(Records.object("a.tflite", project: "project-c")) },
        ]
        for change in changes {
            #expect(code { try store.write(change) } == .conflict)
        }
    }

    @Test("Changing or deleting what is not there is refused", arguments: MetadataKind.allCases)
    func missing(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let changes: [(any MetadataWriter) throws -> Void] = [
            { try $0.update(Records.model(1, "flowers")) },
            { try $0.delete(Records.model(1, "flowers")) },
            { try $0.update(Records.account("ann@example.test")) },
            { try $0.update(Records.accountKey("k1", email: "ann@example.test", clientID: "1")) },
            { try $0.update(Records.apiKey("a1")) },
            { try $0.update(Records.token("t1")) },
            { try $0.delete(Records.installation("f1")) },
            { try $0.update(Records.release(1, model: 1)) },
            { try $0.delete(Records.object("a.tflite")) },
            { try $0.delete(Records.validation("hash", .ok)) },
            { try $0.update(Records.session("s1")) },
            { try $0.delete(Records.session("s1")) },
        ]
        for change in changes {
            #expect(code { try store.write(change) } == .notFound)
        }
    }

    @Test("No id comes twice, not even after delete", arguments: MetadataKind.allCases)
    func modelIDs(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let first = try store.write { store in
            let id = try store.nextModelID()
            try store.insert(Records.model(id, "flowers"))
            return id
        }
        try store.write { try $0.delete(Records.model(first, "flowers")) }
        let more = try store.write { store in [try store.nextModelID(), try store.nextModelID()] }
        #expect(first == 1_000_001, "ids are numeric and look like ids")
        #expect(more == [first + 1, first + 2])
    }

    @Test("A model's versions and releases go with it, and no others", arguments: MetadataKind.allCases)
    func cascade(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { store in
            for id in [1, 2] as [Int64] {
                try store.insert(Records.model(id, "model-\(id)"))
                for number in 1...3 {
                    try store.insert(Records.version(number, model: id))
                    try store.insert(Records.release(number, model: id, version: number))
                }
            }
            try store.delete(Records.model(1, "model-1"))
        }
        #expect(try store.read { try $0.versions(model: 1) }.isEmpty)
        #expect(try store.read { try $0.versions(model: 2) }.count == 3)
        #expect(try store.read { try $0.releases(model: 1) }.isEmpty)
        #expect(try store.read { try $0.releases(model: 2) }.count == 3)
    }

    @Test("When the body throws, nothing of it remains", arguments: MetadataKind.allCases)
    func rollback(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let kept = Records.model(1, "kept")
        try store.write { store in
            try store.insert(kept)
            try store.insert(Records.version(1, model: 1))
        }
        #expect(throws: Refusal.self) {
            try store.write { store in
                try store.insert(Records.project("project-c", number: 3))
                try store.insert(Records.account("ann@example.test"))
                try store.insert(Records.model(try store.nextModelID(), "new"))
                try store.put(Records.object("a.tflite"))
                try store.append(Records.entry("lost"))
                try store.delete(kept)
                throw Refusal()
            }
        }
        try store.read { (store) throws in
            #expect(try store.projects().count == 2)
            #expect(try store.serviceAccounts().isEmpty)
            #expect(try store.models(project: "project-a", after: 0, limit: 10) == [kept])
            #expect(try store.versions(model: 1).count == 1)
            #expect(try store.object(bucket: "bucket", name: "a.tflite", project: "project-a") == nil)
            #expect(try store.audit(project: "project-a", before: nil, limit: 10).isEmpty)
        }
        #expect(try store.write { try $0.nextModelID() } == 1_000_001, "the store takes writes again")
    }

    @Test("A refused change undoes the transaction, even if the body ignores it", arguments: MetadataKind.allCases)
    func refusedChange(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let refusal = code {
            try store.write { store in
                try store.insert(Records.model(1, "flowers"))
                #expect(code { try store.insert(Records.model(2, "flowers")) } == .conflict)
            }
        }
        #expect(refusal == .conflict)
        #expect(try store.read { try $0.model(id: 1, project: "project-a") } == nil)
        try store.write { try $0.insert(Records.model(2, "flowers")) }
    }

    @Test("A size that no disk holds is refused, not trapped", arguments: MetadataKind.allCases)
    func hugeSize(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        var object = Records.object("a.tflite")
        object.sizeBytes = .max
        #expect(code { try store.write { try $0.put(object) } } == .tooLarge)
        var version = Records.version(1, model: 1)
        version.sizeBytes = UInt64(Int64.max) + 1
        #expect(
            code {
                try store.write { store in
                    try store.insert(Records.model(1, "flowers"))
                    try store.insert(version)
                }
            } == .tooLarge)
    }

    @Test(
        "Text comes back as it went in", arguments: MetadataKind.allCases,
        [
            "", "'; DROP TABLE model; --", "\"quoted\" 'twice' `x`", "nul \0 in the middle\0", "🔥👩‍👩‍👧‍👦 e\u{301} \u{E9}",
            "line\r\nbreak\t\u{1}\u{7F}", "%_*?[]\\", String(repeating: "0123456789abcdef", count: 65_536),
        ])
    func text(kind: MetadataKind, text: String) throws {
        let store = try kind.makeEmptyStore()
        let project = Project(id: text, number: 1, createdMicroseconds: .min)
        let account = ServiceAccount(
            email: text, projectID: text, role: .owner, isOperator: false, createdMicroseconds: .max)
        let accountKey = AccountKey(
            id: text, email: text, clientID: text, publicKeyPEM: text, clientSecretHash: text, createdMicroseconds: 0)
        let apiKey = APIKey(
            id: text, projectID: text, name: text, appID: text, bundleIDs: [text, ""], secretHash: text,
            createdMicroseconds: 0)
        let model = Model(
            id: .max, projectID: text, displayName: text, tags: text.isEmpty ? [] : [text], newestVersion: .max,
            isPublished: true, releasedVersion: .min, publishWhenValidated: 0, revision: .min,
            createdMicroseconds: .max, updatedMicroseconds: 0)
        var version = Records.version(1, model: .max)
        (version.sha256, version.sourceURI, version.createdBy) = (text, text, text)
        var release = Records.release(1, model: .max)
        (release.audience.tags, release.createdBy) = ([text], text)
        let object = UploadedObject(
            projectID: text, bucket: text, name: text, sha256: text, sizeBytes: 0, crc32c: 0, contentType: text,
            createdMicroseconds: 0)
        var validation = Records.validation(text, .unsupported(text))
        (validation.contractJSON, validation.measurementsJSON) = (text, nil)
        let entry = AuditEntry(
            id: 1, projectID: text, actor: text, action: text, subject: text, detail: text, atMicroseconds: 0)
        let refusal = kind.refusal(ofKey: text)
        let written = code { () throws in
            try store.write { store in
                try store.insert(project)
                try store.insert(account)
                try store.insert(accountKey)
                try store.insert(apiKey)
                try store.insert(model)
                try store.insert(version)
                try store.insert(release)
                try store.put(object)
                try store.put(validation)
                try store.append(entry)
            }
        }
        #expect(written == refusal)
        guard refusal == nil else { return }
        try store.read { (store) throws in
            #expect(try store.project(id: text) == project)
            #expect(try store.serviceAccount(email: text) == account)
            #expect(try store.accountKeys() == [accountKey])
            #expect(try store.apiKey(id: text, project: text) == apiKey)
            #expect(try store.model(displayName: text, project: text) == model)
            #expect(try store.version(1, model: .max) == version)
            #expect(try store.release(1, model: .max) == release)
            #expect(try store.object(bucket: text, name: text, project: text) == object)
            #expect(try store.validation(sha256: text) == validation)
            #expect(try store.audit(project: text, before: nil, limit: 1) == [entry])
        }
        // Equal strings may still differ in their bytes.
        let found = try #require(try store.read { try $0.apiKey(id: text, project: text) })
        #expect(Array(found.appID.utf8) == Array(text.utf8))
    }

    @Test("A text of a megabyte comes back where it is no key", arguments: MetadataKind.allCases)
    func largeText(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let text = String(repeating: "0123456789abcdef", count: 65_536)
        let template = TemplateVersion(
            projectID: "project-a", namespace: "firebase", number: 1, body: text, createdMicroseconds: 1,
            createdBy: "ann@example.test", description: text, origin: .rest, kind: .incremental)
        try store.write { store in
            try store.insert(template)
            try store.append(Records.entry(text))
        }
        #expect(
            try store.read { try $0.template(project: "project-a", namespace: "firebase", number: nil) } == template)
        #expect(
            try store.read { try $0.audit(project: "project-a", before: nil, limit: 1) } == [Records.entry(text, id: 1)]
        )
    }
}

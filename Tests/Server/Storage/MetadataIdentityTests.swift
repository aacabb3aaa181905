import HearthCatalog
import HearthStorage
import Testing

@testable import HearthStorageTestSupport

@Suite("Metadata: who may call") struct MetadataIdentityTests {
    @Test("Service accounts, by email and all", arguments: MetadataKind.allCases)
    func accounts(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let ann = Records.account("ann@example.test")
        let bob = Records.account("bob@example.test", project: "project-b", role: .viewer)
        try store.write { store in
            try store.insert(bob)
            try store.insert(ann)
        }
        var changed = ann
        (changed.role, changed.isOperator) = (.owner, false)
        try store.read { (store) throws in
            #expect(try store.serviceAccount(email: "ann@example.test") == ann)
            #expect(try store.serviceAccount(email: "Ann@example.test") == nil)
            #expect(try store.serviceAccounts() == [ann, bob])
        }
        try store.write { try $0.update(changed) }
        #expect(try store.read { try $0.serviceAccounts() } == [changed, bob])
    }

    @Test("That something has ended is kept, and so is what the clocks said", arguments: MetadataKind.allCases)
    func ends(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        var (key, apiKey, token) = (
            Records.accountKey("k", email: "ann", clientID: "c"), Records.apiKey("a"), Records.token("t")
        )
        try store.write { store in
            try store.insert(Records.account("ann"))
            try store.insert(key)
            try store.insert(apiKey)
            try store.insert(token)
        }
        #expect(try store.read { try $0.clockMark() } == nil)
        (key.hasEnded, apiKey.hasEnded, token.hasEnded) = (true, true, true)
        let marks = [1, 2].map { ClockCheckpoint(passedMicroseconds: $0, signedMicroseconds: 10 * $0) }
        let revision = store.servingRevision
        for mark in marks { try store.write { try $0.put(mark) } }
        #expect(store.servingRevision == revision, "nobody is served anything else for that")
        try store.write { store in
            try store.update(key)
            try store.update(apiKey)
            try store.update(token)
        }
        try store.read { (store) throws in
            #expect(try store.accountKeys() == [key] && store.apiKeys() == [apiKey] && store.adminTokens() == [token])
            #expect(try store.clockMark() == marks[1])
        }
        #expect(try store.write { try $0.nextModelID() } == 1_000_001)
    }

    @Test("A project goes with all that is its, and with nothing else's", arguments: MetadataKind.allCases)
    func projectRemoval(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let project = try #require(try store.read { try $0.project(id: "project-a") })
        try store.write { store in
            for (name, id) in [("ann", "project-a"), ("bob", "project-b")] {
                try store.insert(Records.account(name, project: id))
                try store.insert(Records.accountKey(name, email: name, clientID: name))
                try store.insert(Records.apiKey(name, project: id))
                try store.insert(Records.token(name, project: id))
                try store.insert(Records.installation(name, project: id))
                try store.put(Records.object(name, project: id))
            }
            try store.insert(Records.token("all", project: nil))
            try store.insert(Records.model(1, "flowers"))
        }
        #expect(throws: StorageError.self) { try store.write { try $0.delete(project) } }
        #expect(try store.read { try $0.serviceAccounts().count } == 2, "nothing went before it was refused")
        try store.write { store in
            try store.delete(Records.model(1, "flowers"))
            try store.delete(project)
        }
        try store.read { (store) throws in
            #expect(try store.projects().map(\.id).contains("project-a") == false)
            #expect(try store.serviceAccounts().map(\.email) == ["bob"] && store.accountKeys().map(\.id) == ["bob"])
            #expect(try store.apiKeys().map(\.id) == ["bob"])
            #expect(try Set(store.adminTokens().map(\.id)) == ["all", "bob"])
            #expect(try store.installationCount(project: "project-a") == 0)
            #expect(try store.installationCount(project: "project-b") == 1)
            #expect(try store.objects(project: "project-a").isEmpty && store.objects(project: "project-b").count == 1)
        }
        #expect(throws: StorageError.self) { try store.write { try $0.delete(project) } }
    }

    @Test("Account keys, oldest first", arguments: MetadataKind.allCases)
    func accountKeys(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let newer = Records.accountKey("a", email: "ann@example.test", clientID: "1", created: 9)
        let older = Records.accountKey("b", email: "ann@example.test", clientID: "2", created: 8)
        try store.write { store in
            try store.insert(Records.account("ann@example.test"))
            try store.insert(newer)
            try store.insert(older)
        }
        try store.read { (store) throws in
            #expect(try store.accountKeys() == [older, newer])
        }
        var ended = newer
        ended.endsMicroseconds = nil
        try store.write { try $0.update(ended) }
        #expect(try store.read { try $0.accountKeys() } == [older, ended])
    }

    @Test("API keys, inside their project only", arguments: MetadataKind.allCases)
    func apiKeys(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let (newer, older) = (Records.apiKey("a", created: 9), Records.apiKey("b", project: "project-b", created: 8))
        try store.write { store in
            try store.insert(newer)
            try store.insert(older)
        }
        var changed = newer
        (changed.bundleIDs, changed.endsMicroseconds) = ([], nil)
        try store.read { (store) throws in
            #expect(try store.apiKey(id: "a", project: "project-a") == newer)
            #expect(try store.apiKey(id: "a", project: "project-b") == nil)
            #expect(try store.apiKeys() == [older, newer])
        }
        try store.write { try $0.update(changed) }
        #expect(try store.read { try $0.apiKeys() } == [older, changed])
    }

    @Test("Admin tokens, of a project and of the whole server", arguments: MetadataKind.allCases)
    func tokens(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let (own, all) = (Records.token("a", created: 9), Records.token("b", project: nil, created: 8))
        try store.write { store in
            try store.insert(own)
            try store.insert(all)
        }
        try store.read { (store) throws in
            #expect(try store.adminToken(id: "a") == own)
            #expect(try store.adminToken(id: "b") == all)
            #expect(try store.adminToken(id: "c") == nil)
            #expect(try store.adminTokens() == [all, own])
        }
        var changed = own
        (changed.role, changed.endsMicroseconds) = (.owner, nil)
        try store.write { try $0.update(changed) }
        #expect(try store.read { try $0.adminToken(id: "a") } == changed)
    }

    @Test("Installations, inside their project only, free again after delete", arguments: MetadataKind.allCases)
    func installations(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let (a, b) = (Records.installation("fid"), Records.installation("fid", project: "project-b"))
        try store.write { store in
            try store.insert(a)
            try store.insert(b)
            try store.insert(Records.installation("Fid"))
        }
        try store.read { (store) throws in
            #expect(try store.installation(fid: "fid", project: "project-a") == a)
            #expect(try store.installation(fid: "fid", project: "project-b") == b)
            #expect(try store.installation(fid: "fi", project: "project-a") == nil)
            #expect(try store.installationCount(project: "project-a") == 2)
            #expect(try store.installationCount(project: "project-c") == 0)
        }
        try store.write { store in
            try store.delete(a)
            #expect(try store.installation(fid: "fid", project: "project-a") == nil)
            try store.insert(a)
        }
        #expect(try store.read { try $0.installation(fid: "fid", project: "project-b") } == b)
    }
}

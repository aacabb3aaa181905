import HearthCatalog
import HearthStorage
import Testing

@testable import HearthStorageTestSupport

@Suite("Metadata: who uses the console") struct MetadataConsoleTests {
    private static func session(_ id: String, _ credential: Credential, at time: Int64 = 10) -> ConsoleSession {
        ConsoleSession(
            id: id, secretHash: "hash of \(id)", credential: credential, createdMicroseconds: time,
            usedMicroseconds: time, endsMicroseconds: time + 100, address: "2001:db8::1", browser: "Test/1.0 'quoted'")
    }

    private static let key = Credential.accountKey(id: "k", isReadOnly: false)
    private static let reader = Credential.accountKey(id: "k", isReadOnly: true)
    private static let token = Credential.adminToken(id: "t")

    private func store(_ kind: MetadataKind) throws -> any MetadataStore {
        let store = try kind.makeStore()
        try store.write { store in
            try store.insert(Records.account("ann"))
            try store.insert(Records.accountKey("k", email: "ann", clientID: "c"))
            try store.insert(Records.token("t"))
        }
        return store
    }

    @Test("Sessions of keys and tokens, newest first", arguments: MetadataKind.allCases)
    func sessions(kind: MetadataKind) throws {
        let store = try store(kind)
        let all = [
            Self.session("b", Self.token, at: 12), Self.session("a", Self.reader, at: 11),
            Self.session("c", Self.key, at: 11),
        ]
        let revision = store.servingRevision
        try store.write { store in for session in all.reversed() { try store.insert(session) } }
        #expect(store.servingRevision == revision, "devices are served nothing else for that")
        #expect(try store.read { try $0.consoleSessions() } == all)
        #expect(try store.read { try $0.consoleSession(id: "a") } == all[1])
        #expect(try store.read { try $0.consoleSession(id: "A") } == nil)
        try store.write { try $0.setUsed(all[0], atMicroseconds: 99) }
        var used = all[0]
        used.usedMicroseconds = 99
        #expect(try store.read { try $0.consoleSession(id: "b") } == used)
        try store.write { try $0.delete(used) }
        #expect(code { try store.write { try $0.delete(used) } } == .notFound)
        #expect(code { try store.write { try $0.setUsed(used, atMicroseconds: 1) } } == .notFound)
        #expect(try store.read { try $0.consoleSessions() } == Array(all.dropFirst()))
    }

    @Test("A session has one id, and a code one hash", arguments: MetadataKind.allCases)
    func twins(kind: MetadataKind) throws {
        let store = try store(kind)
        let known = SignInCode(secretHash: "h", credential: Self.key, endsMicroseconds: 5)
        try store.write { store in
            try store.insert(Self.session("a", Self.key))
            try store.insert(known)
        }
        #expect(code { try store.write { try $0.insert(Self.session("a", Self.token)) } } == .conflict)
        #expect(code { try store.write { try $0.insert(known) } } == .conflict)
    }

    @Test("A code is taken once", arguments: MetadataKind.allCases)
    func codes(kind: MetadataKind) throws {
        let store = try store(kind)
        let codes = [Self.key, Self.reader, Self.token].enumerated().map { index, credential in
            SignInCode(secretHash: "hash \(index)", credential: credential, endsMicroseconds: 50)
        }
        try store.write { store in for code in codes { try store.insert(code) } }
        for code in codes {
            for _ in 1...2 { #expect(try store.read { try $0.signInCode(secretHash: code.secretHash) } == code) }
            #expect(try store.write { try $0.takeSignInCode(secretHash: code.secretHash) } == code)
            #expect(try store.write { try $0.takeSignInCode(secretHash: code.secretHash) } == nil)
            #expect(try store.read { try $0.signInCode(secretHash: code.secretHash) } == nil)
        }
    }

    @Test("What has ended goes, and the rest stays", arguments: MetadataKind.allCases)
    func ended(kind: MetadataKind) throws {
        let store = try store(kind)
        let (old, unused, fresh) = (
            Self.session("old", Self.key, at: 0), Self.session("unused", Self.key, at: 10),
            Self.session("fresh", Self.key, at: 30)
        )
        let codes = [100, 101].map { SignInCode(secretHash: "\($0)", credential: Self.key, endsMicroseconds: $0) }
        try store.write { store in
            for session in [old, unused, fresh] { try store.insert(session) }
            for code in codes { try store.insert(code) }
        }
        func delete(known: Int64) throws -> Int {
            try store.write {
                try $0.deleteEndedConsoleAccess(
                    nowMicroseconds: 100, unusedSinceMicroseconds: 10, knownMicroseconds: known)
            }
        }
        #expect(try delete(known: 11) == 1, "only the code: the sessions stay known for a while")
        #expect(try store.read { try $0.consoleSessions().count } == 3)
        #expect(try delete(known: 0) == 2)
        #expect(try store.read { try $0.consoleSessions() } == [fresh])
        #expect(try store.write { try $0.takeSignInCode(secretHash: "100") } == nil)
        #expect(try store.write { try $0.takeSignInCode(secretHash: "101") } == codes[1])
    }

    private static func experiment(_ name: String, project: String = "project-a") -> ExperimentRecord {
        ExperimentRecord(
            projectID: project, name: name, body: "{}", isRunning: false, createdMicroseconds: 1, createdBy: "ann")
    }

    private static func link(_ id: String, _ page: SharedPage, at time: Int64, project: String = "project-a")
        -> SharedLink
    {
        SharedLink(
            id: id, secretHash: "hash \(id)", projectID: project, page: page, createdBy: "ann",
            createdMicroseconds: time, endsMicroseconds: time + 100)
    }

    private static let release = link("r", .release(model: 7, number: 2), at: 1)
    private static let experiment = link("e", .experiment(name: "é 'x'"), at: 2)
    private static let other = link("o", .experiment(name: "é 'x'"), at: 3, project: "project-b")

    /// With three links.
    private func linkStore(_ kind: MetadataKind) throws -> any MetadataStore {
        let store = try store(kind)
        try store.write { store in
            try store.insert(Records.model(7, "flowers"))
            try store.insert(Records.version(1, model: 7))
            try store.insert(Records.release(2, model: 7))
            for project in ["project-a", "project-b"] {
                try store.insert(Self.experiment("é 'x'", project: project))
            }
            for link in [Self.release, Self.experiment, Self.other] { try store.insert(link) }
        }
        return store
    }

    @Test("Links of a project, newest first", arguments: MetadataKind.allCases)
    func links(kind: MetadataKind) throws {
        let store = try linkStore(kind)
        #expect(try store.read { try $0.sharedLinks(project: "project-a") } == [Self.experiment, Self.release])
        #expect(try store.read { try $0.sharedLink(id: "o") } == Self.other)
        #expect(try store.read { try $0.sharedLink(id: "O") } == nil)
        try store.write { try $0.delete(Self.experiment) }
        #expect(try store.read { try $0.sharedLinks(project: "project-a") } == [Self.release])
        let count = try store.write {
            try $0.deleteEndedConsoleAccess(nowMicroseconds: 101, unusedSinceMicroseconds: 0, knownMicroseconds: 0)
        }
        #expect(count == 1)
        #expect(
            try store.read { try $0.sharedLink(id: "r") } == nil && store.read { try $0.sharedLink(id: "o") } != nil)
    }

    @Test("A link goes with what it shows, and shows only what is there", arguments: MetadataKind.allCases)
    func shownThings(kind: MetadataKind) throws {
        let store = try linkStore(kind)
        for page in [SharedPage.release(model: 7, number: 3), .release(model: 8, number: 2), .experiment(name: "none")]
        {
            #expect(code { try store.write { try $0.insert(Self.link("x", page, at: 1)) } } == .conflict)
        }
        try store.write { try $0.delete(Self.experiment("é 'x'")) }
        #expect(try store.read { try $0.sharedLinks(project: "project-a") } == [Self.release])
        try store.write { try $0.delete(Records.model(7, "flowers")) }
        #expect(try store.read { try $0.sharedLinks(project: "project-a") } == [])
        #expect(try store.read { try $0.sharedLinks(project: "project-b") } == [Self.other])
    }
}

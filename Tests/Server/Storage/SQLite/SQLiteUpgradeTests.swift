import HearthCatalog
import HearthStorage
import HearthStorageSQL
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthStorageSQLite

@Suite("SQLite: a database of an older Hearth") struct SQLiteUpgradeTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/hearth.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    /// A database as the first schema had it: a published model of two versions, and one that is malformed.
    private func makeFirstDatabase() throws {
        let connection = try SQLiteConnection(path: path, readOnly: false)
        try connection.execute("\(SQLiteSchema.steps[0]) PRAGMA user_version = 1")
        try connection.execute(
            """
            INSERT INTO project VALUES ('project-a', 42, 'key hash', '1:42:ios:ab', 100);
            INSERT INTO service_account VALUES ('ann@example.test', 'project-a', 'client', 'kid', 'PEM', 'secret hash');
            INSERT INTO model VALUES (1000001, 'project-a', 'flowers', 'a,b', 2, 1, 5, 101, 102);
            INSERT INTO model VALUES (1000002, 'project-a', 'junk', '', 1, NULL, 1, 103, 104);
            INSERT INTO model VALUES (1000003, 'project-a', 'empty', '', NULL, NULL, 1, 105, 105);
            UPDATE counter SET value = 1000003;
            INSERT INTO version VALUES (1000001, 1, 'h1', 10, 'gs://b/1', 'ok', '', '{"c":1}', 106, 'ann@example.test');
            INSERT INTO version VALUES
                (1000001, 2, 'h2', 20, 'gs://b/2', 'unsupported', 'no WHERE', '{"c":2}', 107, 'ann@example.test');
            INSERT INTO version VALUES (1000002, 1, 'h3', 30, 'gs://b/3', 'malformed', 'cut short', NULL, 108, 'ann');
            INSERT INTO object VALUES ('project-a', 'b', '1', 'h1', 10, 'ok', '', '{"c":1}', 106);
            INSERT INTO object VALUES ('project-a', 'b', '4', 'h4', 40, 'ok', '', '{"c":4}', 109);
            INSERT INTO audit VALUES (7, 'project-a', 'ann@example.test', 'model.create', 'models/1000001', 'x', 110);
            """)
    }

    @Test("keeps projects, keys and the audit")
    func identity() throws {
        try makeFirstDatabase()
        let store = try SQLiteMetadataStore(path: path)
        try store.read { (store) throws in
            #expect(try store.projects() == [Project(id: "project-a", number: 42, createdMicroseconds: 100)])
            #expect(
                try store.serviceAccounts() == [
                    ServiceAccount(
                        email: "ann@example.test", projectID: "project-a", role: .owner, isOperator: true,
                        createdMicroseconds: 100)
                ])
            #expect(
                try store.accountKeys() == [
                    AccountKey(
                        id: "kid", email: "ann@example.test", clientID: "client", publicKeyPEM: "PEM",
                        clientSecretHash: "secret hash", createdMicroseconds: 100)
                ])
            #expect(
                try store.apiKeys() == [
                    APIKey(
                        id: "first-42", projectID: "project-a", name: "first", appID: "1:42:ios:ab", bundleIDs: [],
                        secretHash: "key hash", createdMicroseconds: 100)
                ])
            #expect(try store.audit(project: "project-a", before: nil, limit: 9).map(\.id) == [7])
        }
        #expect(try store.write { try $0.nextModelID() } == 1_000_004)
    }

    @Test("keeps models, versions, verdicts and what is released")
    func models() throws {
        try makeFirstDatabase()
        let store = try SQLiteMetadataStore(path: path)
        try store.read { (store) throws in
            let flowers = try #require(try store.model(displayName: "flowers", project: "project-a"))
            #expect(flowers.isPublished && flowers.releasedVersion == 1 && flowers.newestVersion == 2)
            #expect(flowers.tags == ["a", "b"] && flowers.revision == 5 && flowers.contractCheck == .warn)
            #expect(try store.versions(model: flowers.id).map(\.sha256) == ["h1", "h2"])
            let served = try store.servedReleases()
            #expect(served.map(\.sha256) == ["h1"] && served.map(\.displayName) == ["flowers"])
            #expect(served.first?.release.shareMillionths == Release.fullShare)
            #expect(served.first?.release.audience.isEverybody == true)
            let junk = try #require(try store.model(displayName: "junk", project: "project-a"))
            #expect(!junk.isPublished && junk.releasedVersion == nil)
            #expect(try store.validation(sha256: "h1")?.contractJSON == "{\"c\":1}")
            #expect(try store.validation(sha256: "h2")?.verdict == .unsupported("no WHERE"))
            #expect(try store.validation(sha256: "h3")?.verdict == .malformed("cut short"))
            #expect(try store.validation(sha256: "h4")?.verdict == .ok)
            #expect(try store.pendingValidations().isEmpty)
            #expect(try store.objects(project: "project-a").map(\.name) == ["1", "4"])
        }
    }

    @Test("keeps templates")
    func templates() throws {
        try makeFirstDatabase()
        let connection = try SQLiteConnection(path: path, readOnly: false)
        for (index, step) in SQLiteSchema.steps[1..<5].enumerated() {
            try connection.execute("\(step) PRAGMA user_version = \(index + 2)")
        }
        try connection.execute(
            """
            INSERT INTO config_template VALUES
                ('project-a', 'firebase', 7, '{"n":7}', 111, 'ann@example.test', 'x', 'REST_API', 'ROLLBACK', 3);
            """)
        let store = try SQLiteMetadataStore(path: path)
        #expect(
            try store.read { try $0.template(project: "project-a", namespace: "firebase", number: nil) }
                == TemplateVersion(
                    projectID: "project-a", namespace: "firebase", number: 7, body: #"{"n":7}"#,
                    createdMicroseconds: 111, createdBy: "ann@example.test", description: "x", kind: .rollback,
                    rollbackSource: 3))
    }

    @Test("gives versions no notes and no aliases at first, and takes both")
    func aliases() throws {
        try makeFirstDatabase()
        let connection = try SQLiteConnection(path: path, readOnly: false)
        let last = try #require(SQLiteSchema.steps.firstIndex { $0.contains("version_alias") })
        for (index, step) in SQLiteSchema.steps[1..<last].enumerated() {
            try connection.execute("\(step) PRAGMA user_version = \(index + 2)")
        }
        try connection.execute("INSERT INTO pin VALUES ('project-a', 'tag', 'qa', 1000001, 2, NULL, NULL, 1, 'ann')")
        let store = try SQLiteMetadataStore(path: path)
        #expect(try store.read { try $0.versions(model: 1_000_001).map(\.note) } == [nil, nil])
        #expect(try store.read { try $0.versions(model: 1_000_001).map(\.sha256) } == ["h1", "h2"])
        #expect(try store.read { try $0.aliases(model: 1_000_001) } == [])
        #expect(try store.read { try $0.pins(project: nil).map(\.target) } == [.version(2, model: 1_000_001)])
        let alias = VersionAlias(
            modelID: 1_000_001, name: "champion", version: 2, movedMicroseconds: 9, movedBy: "ann@example.test")
        try store.write { store in
            try store.put(alias)
            try store.setNote("x", version: 1, model: 1_000_001)
        }
        #expect(try store.read { try $0.aliases(model: 1_000_001) } == [alias])
        #expect(try store.read { try $0.versions(model: 1_000_001).map(\.note) } == ["x", nil])
    }

    @Test("knows what has ended: what was ended on purpose, and what the last change was later than")
    func ends() throws {
        try makeFirstDatabase()
        let connection = try SQLiteConnection(path: path, readOnly: false)
        for (index, step) in SQLiteSchema.steps[1..<6].enumerated() {
            try connection.execute("\(step) PRAGMA user_version = \(index + 2)")
        }
        try connection.execute(
            """
            UPDATE account_key SET ends_us = 900;
            INSERT INTO api_key VALUES ('ended', 'project-a', 'n', 'a', '[]', 'h1', 1, 900);
            INSERT INTO api_key VALUES ('passed', 'project-a', 'n', 'a', '[]', 'h2', 1, 500);
            INSERT INTO api_key VALUES ('planned', 'project-a', 'n', 'a', '[]', 'h3', 1, 501);
            INSERT INTO admin_token VALUES ('ended', NULL, 'n', 'owner', 'h1', 1, 'ann', 900);
            INSERT INTO admin_token VALUES ('passed', NULL, 'n', 'owner', 'h2', 1, 'ann', 500);
            INSERT INTO admin_token VALUES ('planned', NULL, 'n', 'owner', 'h3', 1, 'ann', 501);
            INSERT INTO admin_token VALUES ('endless', NULL, 'n', 'owner', 'h4', 1, 'ann', NULL);
            INSERT INTO audit VALUES (8, 'project-a', 'ann', 'apiKey.end', 'apiKeys/ended', '', 900);
            INSERT INTO audit VALUES (9, 'project-a', 'ann', 'adminToken.end', 'adminTokens/ended', '', 900);
            INSERT INTO audit VALUES (10, 'project-a', 'ann', 'model.create', 'models/1', '', 500);
            """)
        let store = try SQLiteMetadataStore(path: path)
        try store.read { (store) throws in
            #expect(try store.accountKeys().map(\.hasEnded) == [true], "the keys of accounts are only ended on purpose")
            #expect(Set(try store.apiKeys().filter(\.hasEnded).map(\.id)) == ["ended", "passed"])
            #expect(Set(try store.adminTokens().filter(\.hasEnded).map(\.id)) == ["ended", "passed"])
        }
    }

    @Test("An upgraded database and a new one have the same tables")
    func sameTables() throws {
        try makeFirstDatabase()
        _ = try SQLiteMetadataStore(path: path)
        _ = try SQLiteMetadataStore(path: folder.path + "/new.sqlite")
        func columns(_ path: String) throws -> [String] {
            try SQLiteConnection(path: path, readOnly: true).texts(
                """
                SELECT master.name || '.' || info.name || ' ' || info.type
                FROM sqlite_master AS master, pragma_table_info(master.name) AS info WHERE master.type = 'table'
                ORDER BY 1
                """)
        }
        let new = try columns(folder.path + "/new.sqlite")
        #expect(try columns(path) == new && new.count > 60)
    }

    @Test("counts the installations, and knows when experiments ended")
    func overview() throws {
        try makeFirstDatabase()
        let connection = try SQLiteConnection(path: path, readOnly: false)
        let step = try #require(SQLiteSchema.steps.firstIndex { $0.contains("CREATE TABLE experiment_point") })
        for (index, step) in SQLiteSchema.steps[1..<step].enumerated() {
            try connection.execute("\(step) PRAGMA user_version = \(index + 2)")
        }
        try connection.execute(
            """
            INSERT INTO installation VALUES ('project-a', 'f1', 'a', 1), ('project-a', 'f2', 'a', 1);
            INSERT INTO experiment VALUES ('project-a', 'ended', '{"endedMicroseconds":700}', 0, 1, 'ann');
            INSERT INTO experiment VALUES ('project-a', 'draft', '{}', 0, 1, 'ann');
            INSERT INTO experiment VALUES ('project-a', 'damaged', '{', 0, 1, 'ann');
            """)
        let store = try SQLiteMetadataStore(path: path)
        try store.read { (store) throws in
            #expect(try store.installationCount(project: "project-a") == 2)
            let ended = try store.experiments(project: "project-a", endedSinceMicroseconds: 0)
            #expect(ended.map(\.name) == ["ended"] && ended.first?.endedMicroseconds == 700)
        }
    }
}

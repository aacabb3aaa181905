import Foundation
import Glibc
import HearthCatalog
import HearthFiles
import HearthStorage
import HearthTestSupport
import Testing

@testable import HearthStorageSQLite
@testable import HearthStorageTestSupport

@Suite("SQLite: a look before a server opens it") struct DatabaseInspectionTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/hearth.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private func finding() throws -> DatabaseStatus {
        let before = try stamps()
        let finding = DatabaseInspection(path: path).status()
        #expect(try stamps() == before, "nothing changed, and no file appeared")
        return finding
    }

    private func stamps() throws -> [String: FileStamp?] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Dictionary(uniqueKeysWithValues: names.map { ($0, FileStamp(path: folder.path + "/" + $0)) })
    }

    private func sql(_ statements: String) throws {
        try SQLiteConnection(path: path, readOnly: false).execute(statements)
    }

    private func fill(_ store: SQLiteMetadataStore) throws {
        try store.write { store in
            try store.insert(Records.project("project-a", number: 1))
            var slow = Validation(
                sha256: "slow", sizeBytes: 1, verdict: .malformed("x"), requestedMicroseconds: 0)
            slow.isProvisional = true
            try store.put(slow)
            for (hash, verdict) in [("good", Verdict.ok), ("bad", .malformed("x")), ("new", .pending)] {
                try store.put(Validation(sha256: hash, sizeBytes: 1, verdict: verdict, requestedMicroseconds: 0))
                try store.put(
                    UploadedObject(
                        projectID: "project-a", bucket: "b", name: hash, sha256: hash, sizeBytes: 1, crc32c: 0,
                        createdMicroseconds: 0))
            }
        }
    }

    @Test("A server's database tells its folder, its projects and the files that it needs")
    func hearth() throws {
        var id = ""
        do {
            let store = try SQLiteMetadataStore(path: path)
            id = store.folderID
            #expect(id.count == 32)
            #expect(
                DatabaseInspection(path: path).status() == .hearth(.init(folderID: id, projects: [])),
                "while it is in use")
            try fill(store)
        }
        #expect(FileStamp(path: path + "-wal") == nil)
        #expect(
            try finding()
                == .hearth(
                    .init(
                        folderID: id, projects: ["project-a"], neededFiles: ["good", "new"],
                        knownFiles: ["bad", "slow"])))
        #expect(try SQLiteMetadataStore(path: path).folderID == id, "it keeps its name")
    }

    @Test("What stands in a log alone counts, with its index and without", arguments: [true, false])
    func log(hasIndex: Bool) throws {
        let store = try SQLiteMetadataStore(path: path)
        try fill(store)
        let copy = try TemporaryFolder()
        for suffix in hasIndex ? ["", "-wal", "-shm"] : ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy.path + "/hearth.sqlite" + suffix)
        }
        let before = try FileManager.default.contentsOfDirectory(atPath: copy.path).sorted()
        let log = try DiskFiles().read(copy.path + "/hearth.sqlite-wal", limitBytes: 1 << 24)
        let found = DatabaseInspection(path: copy.path + "/hearth.sqlite").status()
        #expect(
            found
                == .hearth(
                    .init(
                        folderID: store.folderID, projects: ["project-a"], neededFiles: ["good", "new"],
                        knownFiles: ["bad", "slow"])))
        #expect(try FileManager.default.contentsOfDirectory(atPath: copy.path).sorted() == before)
        #expect(try DiskFiles().read(copy.path + "/hearth.sqlite-wal", limitBytes: 1 << 24) == log)
    }

    @Test("A database of every older schema is known as one, without a name")
    func older() throws {
        for count in 1..<SQLiteSchema.steps.count {
            for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
            for step in SQLiteSchema.steps[..<count] { try sql(step) }
            try sql("PRAGMA user_version = \(count)")
            guard case .hearth(let found) = try finding() else {
                Issue.record("schema \(count) is not known")
                continue
            }
            #expect(found.projects.isEmpty && found.neededFiles.isEmpty)
            #expect((found.folderID == nil) == (count < 7))
        }
    }

    @Test("An older database knows the files whose checks it has noted, also when their records are gone")
    func olderKnown() throws {
        for step in SQLiteSchema.steps[..<6] { try sql(step) }
        try sql(
            """
            PRAGMA user_version = 6;
            INSERT INTO validation (sha256, size_bytes, verdict, verdict_message, requested_us, is_provisional)
                VALUES ('slow', 1, 'malformed', 'x', 0, 1);
            INSERT INTO audit (project, actor, action, subject, detail, at_us)
                VALUES ('', 'hearth', 'file.check', 'files/gone', 'ok', 0);
            """)
        #expect(try finding() == .hearth(.init(folderID: nil, projects: [], knownFiles: ["slow", "gone"])))
    }

    @Test("Projects are told in the order in which they were made, and deleted ones apart from them")
    func projects() throws {
        let store = try SQLiteMetadataStore(path: path)
        try store.write { store in
            for (number, id) in ["second-one", "first-one"].enumerated() {
                try store.insert(
                    Project(id: id, number: Int64(number + 1), createdMicroseconds: Int64(10 - number)))
            }
            for id in ["first-one", "gone-one"] {
                try store.append(
                    AuditEntry(
                        projectID: id, actor: "server", action: "project.create", subject: "projects/\(id)",
                        detail: "", atMicroseconds: 1))
            }
            try store.append(
                AuditEntry(
                    projectID: "never-made", actor: "x", action: "call.refused", subject: "", detail: "",
                    atMicroseconds: 1))
        }
        guard case .hearth(let found) = DatabaseInspection(path: path).status() else {
            Issue.record("it is no server's database")
            return
        }
        #expect(found.projects == ["first-one", "second-one"])
        #expect(found.formerProjects == ["gone-one"])
    }

    @Test("No file, an empty one, one without tables")
    func none() throws {
        #expect(try finding() == .absent)
        _ = try folder.write([], to: "hearth.sqlite")
        #expect(try finding() == .empty)
        try sql("CREATE TABLE t (x); DROP TABLE t")
        #expect(try finding() == .blank)
    }

    @Test("Databases of other programs and of a newer Hearth")
    func others() throws {
        try sql("CREATE TABLE t (x)")
        #expect(try finding() == .foreign)
        try sql("PRAGMA user_version = 2")
        #expect(try finding() == .foreign)
        try sql("PRAGMA user_version = 99")
        #expect(try finding() == .foreign)
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        _ = try SQLiteMetadataStore(path: path)
        try sql("PRAGMA user_version = 99")
        #expect(try finding() == .newer(schema: 99))
        let error = #expect(throws: StorageError.self) { try SQLiteMetadataStore(path: path) }
        #expect(error?.code == .newer)
    }

    @Test("What is no database")
    func noDatabase() throws {
        _ = try folder.write([UInt8](repeating: 65, count: 9000), to: "hearth.sqlite")
        #expect(try finding() == .damaged("it does not begin as a database does"))
        _ = try folder.write(Array("SQLite format 3\0".utf8) + [UInt8](repeating: 7, count: 9000), to: "hearth.sqlite")
        guard case .damaged = try finding() else { throw StorageError(.io, "\(try finding())") }
        try DiskFiles().remove(path)
        mkdir(path, 0o700)
        #expect(try finding() == .notAFile("a folder"))
        rmdir(path)
        symlink("elsewhere", path)
        #expect(try finding() == .notAFile("a link"))
        unlink(path)
        mkfifo(path, 0o600)
        #expect(try finding() == .notAFile("no regular file"))
    }
}

import Dispatch
import Foundation
import HearthCatalog
import HearthStorage
import HearthTestSupport
import Testing

@testable import HearthStorageSQL
@testable import HearthStorageSQLite
@testable import HearthStorageTestSupport

@Suite("SQLite: several handles, several processes") struct SQLiteSharingTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/hearth.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    @Test("Two handles see each other's commits and never hand out the same id")
    func twoHandles() throws {
        let stores = [try SQLiteMetadataStore(path: path), try SQLiteMetadataStore(path: path)]
        try stores[0].write { try $0.insert(Records.project("project-a", number: 1)) }
        #expect(try stores[1].read { try $0.projects().count } == 1)
        DispatchQueue.concurrentPerform(iterations: 16) { number in
            #expect(throws: Never.self) {
                try stores[number % 2].write { store in
                    try store.insert(Records.model(try store.nextModelID(), "model-\(number)"))
                }
            }
        }
        for store in stores {
            let ids = try store.read { try $0.models(project: "project-a", after: 0, limit: 99).map(\.id) }
            #expect(ids == Array(1_000_001...1_000_016))
        }
    }

    @Test("A reader that cannot end its transaction is closed; all others are used again")
    func brokenReader() throws {
        let store = try SQLiteMetadataStore(path: path)
        /// The connection, if the store keeps it.
        func kept(_ breaks: Bool) throws -> SQLiteConnection? {
            weak var connection: SQLiteConnection?
            try store.read { reader in
                let session = try #require(reader as? SQLSession)
                connection = session.connection as? SQLiteConnection
                if breaks { try connection?.execute("ROLLBACK") }
            }
            return connection
        }
        #expect(try kept(false) != nil)
        #expect(try kept(true) == nil)
        #expect(try store.read { try $0.projects() }.isEmpty)
    }

    @Test("A new database may be opened by many at once")
    func firstOpening() throws {
        for round in 0..<5 {
            let path = folder.path + "/\(round).sqlite"
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                #expect(throws: Never.self) {
                    let store = try SQLiteMetadataStore(path: path)
                    try store.write { try $0.insert(Records.project("project-\(number)", number: Int64(number))) }
                }
            }
            #expect(try SQLiteMetadataStore(path: path).read { try $0.projects().count } == 8)
        }
    }

    @Test("Another process sees the commits of this one, and this one sees its")
    func twoProcesses() async throws {
        let store = try SQLiteMetadataStore(path: path)
        try store.write { try $0.insert(Records.project("project-a", number: 1)) }
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try SQLiteMetadataStore(path: path)
            try store.write { store in
                try #require(try store.project(id: "project-a") != nil)
                try store.insert(Records.project("project-b", number: 2))
            }
        }
        #expect(try store.read { try $0.projects().map(\.id) } == ["project-a", "project-b"])
    }

    @Test("A process that is killed inside a write leaves nothing of it, and does not lock the others out")
    func killedWriter() async throws {
        let store = try SQLiteMetadataStore(path: path)
        try store.write { try $0.insert(Records.project("project-a", number: 1)) }
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try SQLiteMetadataStore(path: path)
            try store.write { try $0.append(Records.entry("committed")) }
            try store.write { store in
                try store.append(Records.entry("never committed"))
                kill(getpid(), SIGKILL)
            }
        }
        try store.write { try $0.append(Records.entry("later")) }
        let details = try store.read { try $0.audit(project: "project-a", before: nil, limit: 9).map(\.detail) }
        #expect(details == ["later", "committed"])
    }

    @Test("When its files cannot grow, writes say so, and everything that was acknowledged is there afterwards")
    func filesAtTheirLimit() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try SQLiteMetadataStore(path: path)
            try store.write { try $0.insert(Records.project("project-a", number: 1)) }
            // The tables take half of it.
            ResourceLimit.fileSize(bytes: 600_000)
            var acknowledged = 0
            do {
                while acknowledged < 1000 {
                    try store.write { try $0.append(Records.entry(String(repeating: "x", count: 5000))) }
                    acknowledged += 1
                }
            } catch let error as StorageError {
                // SQLite keeps "no space" for disks that are full; this is any other failed write.
                try #require(error.code == .io, "\(error)")
            }
            try #require((1..<1000).contains(acknowledged))
            try #require(
                try store.read { try $0.audit(project: "project-a", before: nil, limit: 1000).count } == acknowledged)
            try Data("\(acknowledged)".utf8).write(to: URL(fileURLWithPath: path + ".count"))
        }
        let acknowledged = try String(contentsOfFile: path + ".count", encoding: .utf8)
        let store = try SQLiteMetadataStore(path: path)
        #expect(
            try store.read { "\(try $0.audit(project: "project-a", before: nil, limit: 1000).count)" } == acknowledged)
        try store.write { try $0.append(Records.entry("there is room again")) }
    }
}

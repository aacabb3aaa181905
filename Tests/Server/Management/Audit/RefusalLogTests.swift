import Dispatch
import HearthCatalog
import HearthHTTP
import HearthStorage
import HearthStorageSQLite
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("How much of what is refused is written down") struct RefusalLogTests {
    private let folder: TemporaryFolder
    private let metadata: SQLiteMetadataStore
    private let queue = DispatchQueue(label: "refusals")

    init() throws {
        folder = try TemporaryFolder()
        metadata = try SQLiteMetadataStore(path: folder.path + "/hearth.sqlite")
    }

    private func log(_ bounds: RefusalLog.Bounds) -> RefusalLog {
        RefusalLog(metadata, bounds: bounds) { [queue] in queue.async(execute: $1) }
    }

    private func refuse(
        _ log: RefusalLog, _ actor: String, _ project: String, rest: String = "apiKeys/x", at now: Int64 = 0
    ) throws {
        let head = try RequestHead(
            method: .delete, target: "/hearth/v1/projects/\(project)/\(rest)", headers: [:], contentLength: 0,
            remoteAddress: "127.0.0.1", id: "1")
        head.notes.actor = actor
        log.add(head, APIError(.permissionDenied, "No."), nowMicroseconds: now) { $0.hasPrefix("known") ? $0 : nil }
    }

    /// Oldest first.
    private func entries(_ project: String) throws -> [AuditEntry] {
        queue.sync {}
        return try metadata.read { try $0.audit(project: project, before: nil, limit: 100) }.reversed()
    }

    @Test("The last one of a caller says so, and the next one is left out until a day is over")
    func perActor() throws {
        let log = log(RefusalLog.Bounds(perActor: 2))
        for _ in 1...3 { try refuse(log, "token:a", "known-one") }
        #expect(
            try entries("known-one").map(\.detail) == [
                "No.", "No. Further refusals of this caller are not logged until 1970-01-02T00:00:00.000000Z.",
            ])
        try refuse(log, "token:a", "known-one", at: 86_399_999_999)
        #expect(try entries("known-one").count == 2)
        try refuse(log, "token:a", "known-one", at: 86_400_000_000)
        #expect(try entries("known-one").last?.detail == "No.")
    }

    @Test("A project's log is closed with an entry, and that of other projects goes on")
    func perProject() throws {
        let log = log(RefusalLog.Bounds(perProject: 2))
        for number in 1...4 { try refuse(log, "token:\(number)", "known-one") }
        try refuse(log, "token:4", "known-two")
        let closed = try entries("known-one")
        #expect(closed.map(\.actor) == ["token:1", "token:2", "server"])
        #expect(closed.last?.subject == "projects/known-one")
        #expect(
            closed.last?.detail
                == "Further refusals of this project are not logged until 1970-01-02T00:00:00.000000Z.")
        #expect(try entries("known-two").map(\.actor) == ["token:4"])
    }

    @Test("What is nowhere counts as one project, and so do more projects than are counted")
    func manyProjects() throws {
        let log = log(RefusalLog.Bounds(perProject: 2, projects: 1))
        for name in ["one", "two", "three"] { try refuse(log, "token:a", name) }
        #expect(try entries("").map(\.actor) == ["token:a", "token:a", "server"])
        try refuse(log, "token:a", "known-one")
        #expect(try entries("known-one").isEmpty)
    }

    @Test("A model in the path is the subject, also before a method's name")
    func models() throws {
        let log = log(RefusalLog.Bounds())
        for rest in ["models/1000001:rollback", "models/1000001/versions/2", "models/x", "models", "models/:x"] {
            try refuse(log, "token:a", "known-one", rest: rest)
        }
        let found = try entries("known-one")
        #expect(found.prefix(2).allSatisfy { $0.subject == "models/1000001" })
        #expect(found[0].detail == "DELETE /hearth/v1/projects/known-one/models/1000001:rollback: No.")
        #expect(found.dropFirst(2).allSatisfy { $0.subject.hasPrefix("DELETE /hearth") && $0.detail == "No." })
    }
}

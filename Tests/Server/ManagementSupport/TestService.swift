import Foundation
import HearthDevicePlane
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthStoragePostgres
import HearthStorageSQLite
import HearthStorageTestSupport
import HearthTestSupport
import HearthValidation
import HearthWire
import HearthWork
import Synchronization
import Testing

@testable import HearthServing

/// All that a service works with.
@dynamicMemberLookup struct TestServices {
    var base: Services
    var metadata: any MetadataStore
    var managing: ManagementServices

    subscript<Value>(dynamicMember member: WritableKeyPath<Services, Value>) -> Value {
        get { base[keyPath: member] }
        set { base[keyPath: member] = newValue }
    }

    subscript<Value>(dynamicMember member: WritableKeyPath<ManagementServices, Value>) -> Value {
        get { managing[keyPath: member] }
        set { managing[keyPath: member] = newValue }
    }
}

/// A service with two projects over a data folder of its own, driven without sockets, at a time that the test sets.
///
/// The folder goes with the service: when the test is over, however it ended.
final class TestService: Sendable {
    /// Made once: keys take a while.
    private static let starts = Result {
        try ["project-a", "project-b"].map { try NewProject(projectID: $0, isOperator: false, nowMicroseconds: 0) }
    }
    /// With both projects. Made once: on the way to the newest tables each step waits for the disk.
    private static let database = Result {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.path + "/hearth.sqlite"
        try makeDatabase(path)
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// It is whole and closed when the call returns.
    private static func makeDatabase(_ path: String) throws { try addProjects(SQLiteMetadataStore(path: path)) }

    private static func addProjects(_ metadata: any MetadataStore) throws {
        let starts = try Self.starts.get()
        try metadata.write { store in
            for start in starts {
                try store.insert(start.project)
                try store.insert(start.account)
                try store.insert(start.accountKey)
                try store.insert(start.apiKeyRecord)
            }
        }
    }

    let a: NewProject
    let b: NewProject
    let services: TestServices
    /// The service that answers now.
    var handler: HearthService { running.withLock { $0 } }
    private let running: Mutex<HearthService>
    let time: TestClock
    /// What the service logged.
    let log = LogRecorder()
    /// The URI that the last upload under each name got.
    let uploads = Mutex<[String: String]>([:])
    /// Where it keeps model bytes.
    let blobFolder: String
    private let folder: TemporaryFolder
    private let database: TestDatabase?

    /// - Parameters:
    ///   - database: that several services share; nil for SQLite.
    ///   - first: the service whose data this one shares.
    init(
        checker: any FileChecker = FakeProbe.validator, database: TestDatabase? = nil, beside first: TestService? = nil,
        configure: (inout TestServices) -> Void = { _ in }
    ) throws {
        let starts = try Self.starts.get()
        (a, b) = (starts[0], starts[1])
        folder = try first?.folder ?? TemporaryFolder()
        time = first?.time ?? TestClock()
        blobFolder = folder.path + "/blobs"
        self.database = database ?? first?.database
        let metadata: any MetadataStore
        if let shared = self.database {
            metadata = try PostgresMetadataStore(shared.configuration)
            if first == nil { try Self.addProjects(metadata) }
        } else {
            metadata = try SQLiteMetadataStore(path: folder.write(Self.database.get(), to: "hearth.sqlite"))
        }
        let blobs = try FileBlobStore(folder: blobFolder)
        let validation = ValidationQueue(
            metadata: metadata, blobs: blobs, checker: checker, scheduler: DispatchScheduler(label: "validation"),
            now: { [time] in time.now }, log: { [log] in log.add($0) })
        let base = Services(
            blobs: blobs,
            secret: try ServerSecret(path: folder.path + "/secret"), publicURL: nil,
            localURL: { "http://127.0.0.1:8080" }, now: { [time] in time.now })
        var services = TestServices(
            base: base, metadata: metadata, managing: ManagementServices(base, metadata, validation: validation))
        // The clock stands still, and all calls come from one address.
        services.limits.rates = .unlimited
        services.clock = ServerClock { [time] in time.reading }
        configure(&services)
        self.services = services
        running = Mutex(HearthService(services) { [log] in log.add($0) })
        try validation.start()
    }

    /// As an operator does, for example to copy the records. Only with SQLite.
    func setReadOnly(_ isReadOnly: Bool) throws {
        let mark = ReadOnlyMark(reason: "it is copied", now: TestClock.start)
        try SQLiteTables(live: folder.path + "/hearth.sqlite").setReadOnly(isReadOnly ? mark : nil)
    }

    /// Another service over the same data takes over, which has nothing in memory.
    func restart() {
        let next = HearthService(services) { [log] in log.add($0) }
        running.withLock { $0 = next }
    }

    /// What routes share, over the data of this service.
    func context(log: @escaping @Sendable (String) -> Void) -> RouteContext {
        RouteContext(services: services.base, metadata: services.metadata, log: log)
    }

    /// One request. `announces` leaves out the length, as a chunked body does.
    func call(
        _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: [UInt8] = [], announces: Bool = true,
        from address: String = "127.0.0.1", pieceBytes: Int = 1000
    ) throws -> TestResponse {
        let head = try RequestHead(
            method: method, target: target, headers: headers, contentLength: announces ? UInt64(body.count) : nil,
            remoteAddress: address, id: "request-1")
        let response = try #require(InProcessCall.run(handler, head, body: body, pieceBytes: pieceBytes))
        // So that devices that wait have heard of it.
        handler.devices.context.serving.finishRenewal()
        return response
    }
}

/// A clock that moves when it is told to.
final class TestClock: Sendable {
    /// 2027-01-15T08:00:00.000123Z.
    static let start = Timestamp(microseconds: 1_800_000_000_000_123)

    private let time = Mutex((now: start, passedSeconds: Int64(0)))

    var now: Timestamp { time.withLock { $0.now } }

    /// Both clocks of the machine.
    var reading: ClockReading {
        time.withLock {
            ClockReading(
                wallMicroseconds: $0.now.microseconds, monotonicMicroseconds: $0.passedSeconds * 1_000_000)
        }
    }

    func advance(seconds: Int64) {
        time.withLock {
            $0.now = $0.now.adding(seconds: seconds)
            $0.passedSeconds += seconds
        }
    }

    /// Somebody sets the time of day; no time passes.
    func set(aheadBySeconds seconds: Int64) { time.withLock { $0.now = $0.now.adding(seconds: seconds) } }
}

/// Lines, from any thread.
final class LogRecorder: Sendable {
    private let all = Mutex<[String]>([])

    var lines: [String] { all.withLock { $0 } }

    func add(_ line: String) { all.withLock { $0.append(line) } }
}

import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthStorage
import Synchronization
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("What load balancers and monitors ask") struct HealthTests {
    /// A database that does not answer.
    private struct FailingStore: MetadataStore {
        var servingRevision: UInt64 { 1 }
        var isDamaged: Bool { false }

        func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
            throw StorageError(.io, "Cannot open /secret/place: no such file")
        }

        func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result {
            throw StorageError(.io, "Cannot write")
        }
    }

    private func metrics(
        _ service: TestService, from address: String, _ headers: HTTPHeaders = ["Host": "localhost:8787"]
    ) throws -> TestResponse {
        try service.call(.get, "/metrics", headers: headers, from: address)
    }

    @Test("A good server is alive and ready")
    func good() throws {
        let service = try TestService()
        for path in ["/healthz", "/readyz"] {
            let answer = try service.call(.get, path, from: "203.0.113.9")
            #expect(answer.status == 200)
            #expect(answer.text == "ok\n")
            #expect(answer.headers["Cache-Control"] == "no-store")
        }
    }

    @Test("What should be known is said behind the verdict, and does not change it")
    func notes() throws {
        let service = try TestService { $0.notes = ["serving fewer", "and slower"] }
        let answer = try service.call(.get, "/readyz")
        #expect(answer.status == 200)
        #expect(answer.text == "ok\nnote: serving fewer\nnote: and slower\n")
        let silent = try TestService {
            $0.metadata = FailingStore()
            $0.notes = ["serving fewer"]
        }
        let refusal = try silent.call(.get, "/readyz")
        #expect(refusal.status == 503)
        #expect(refusal.text == "not ready: the database cannot be read\nnote: serving fewer\n")
    }

    @Test("A server that leaves its disk reserve alone serves devices, and says that it takes no uploads")
    func diskReserve() throws {
        let service = try TestService { $0.limits.diskReserveMebibytes = 1 << 30 }
        let answer = try service.call(.get, "/readyz")
        #expect(answer.status == 200)
        #expect(answer.text.hasPrefix("ok\nnote: the disk has "))
        #expect(answer.text.hasSuffix(" of it in reserve; devices are answered, and uploads are refused\n"))
        #expect(try service.upload("bytes", name: "a").status == 507)
        let free = try TestService { $0.limits.diskReserveMebibytes = 0 }
        #expect(try free.call(.get, "/readyz").text == "ok\n")
    }

    @Test("A server whose database does not answer is alive, not ready, and tells the cause to its log only")
    func silentDatabase() throws {
        let service = try TestService { $0.metadata = FailingStore() }
        #expect(try service.call(.get, "/healthz").status == 200)
        let answer = try service.call(.get, "/readyz")
        #expect(answer.status == 503)
        #expect(answer.text == "not ready: the database cannot be read\n")
        #expect(service.log.lines.contains { $0.contains("/secret/place") })
    }

    /// Answers some questions, and then meets what is damaged.
    private final class DamagedStore: MetadataStore {
        private let base: any MetadataStore
        private let goodReads: Mutex<Int>
        let isDamaged: Bool

        init(_ base: any MetadataStore, isDamaged: Bool, goodReads: Int) {
            self.base = base
            self.isDamaged = isDamaged
            self.goodReads = Mutex(goodReads)
        }

        var servingRevision: UInt64 { base.servingRevision }

        func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
            let isGood = goodReads.withLock { left in
                left -= 1
                return left >= 0
            }
            guard isGood else { throw StorageError(.corrupt, "database disk image is malformed") }
            return try base.read(body)
        }

        func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result { try base.write(body) }
    }

    /// Found earlier; found now; found where only what devices are told is read.
    @Test("A server with a damaged database is not ready", arguments: [(true, 99), (false, 0), (false, 1)])
    func damagedDatabase(isDamaged: Bool, goodReads: Int) throws {
        let service = try TestService {
            $0.metadata = DamagedStore($0.metadata, isDamaged: isDamaged, goodReads: goodReads)
        }
        let answer = try service.call(.get, "/readyz")
        #expect(answer.status == 503)
        #expect(
            answer.text
                == "not ready: the database is damaged; stop the server and restore a backup into a new folder\n")
        #expect(try service.call(.get, "/healthz").status == 200)
    }

    @Test("Obstacles are named, and gone when they are gone")
    func readinessProblems() throws {
        let list = Reasons()
        let service = try TestService { $0.readinessProblems = { list.all } }
        list.all = ["the data folder cannot be written to", "the server is stopping"]
        let answer = try service.call(.get, "/readyz")
        #expect(answer.status == 503)
        #expect(
            answer.text == "not ready: the data folder cannot be written to\nnot ready: the server is stopping\n")
        list.all = []
        #expect(try service.call(.get, "/readyz").status == 200)
    }

    private final class Reasons: Sendable {
        private let list = Mutex<[String]>([])
        var all: [String] {
            get { list.withLock { $0 } }
            set { list.withLock { $0 = newValue } }
        }
    }

    @Test("Metrics are for this machine, and for whom they are allowed")
    func metricsAccess() throws {
        let service = try TestService { $0.metricsReaders = AddressRanges("10.1.0.0/16") ?? AddressRanges() }
        for address in ["127.0.0.1", "::1", "10.1.2.3"] {
            let answer = try metrics(service, from: address)
            #expect(answer.status == 200)
            #expect(answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(answer.text.contains("hearth_build_info{"))
        }
        for address in ["10.2.0.1", "203.0.113.9", ""] {
            try metrics(service, from: address).expectRefusal(403, "PERMISSION_DENIED")
        }
        let asked: [HTTPHeaders] = [
            ["Host": "localhost:8787", "X-Forwarded-For": "203.0.113.9"], ["Host": "models.example"], [:],
        ]
        for headers in asked {
            try metrics(service, from: "127.0.0.1", headers).expectRefusal(403, "PERMISSION_DENIED")
        }
        #expect(try metrics(service, from: "10.1.2.3", ["Host": "models.example"]).status == 200)
    }

    @Test("Every route has a name of its own kind, and requests carry its number")
    func routeNumbers() throws {
        let service = try TestService()
        let head = try RequestHead(method: .get, target: "/v1beta2/projects/project-a/models/flowers:download")
        _ = service.handler.plan(for: head)
        #expect(
            service.handler.routeNames[head.notes.routeNumber - 1]
                == "v1beta2/projects/{project}/models/{model}:download")
        let other = try RequestHead(method: .get, target: "/no/such/path")
        _ = service.handler.plan(for: other)
        #expect(other.notes.routeNumber == 0)
        let metrics = try RequestHead(method: .get, target: "/metrics")
        _ = service.handler.plan(for: metrics)
        #expect(service.handler.routeNames[metrics.notes.routeNumber - 1] == "metrics")
    }

    @Test("The log learns who called, and no secret")
    func actors() throws {
        let service = try TestService()
        let token = try service.accessToken(service.a)
        let head = try RequestHead(
            method: .get, target: "/v1beta2/projects/project-a/models", headers: ["Authorization": "Bearer \(token)"])
        _ = service.handler.plan(for: head)
        #expect(head.notes.actor?.description == service.a.account.email)
    }

    @Test("The log tells devices apart without their ids, which are good for registering as them")
    func deviceActors() throws {
        let service = try TestService()
        let head = try RequestHead(
            method: .get, target: "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)",
            headers: ["x-goog-firebase-installations-auth": try service.installationToken(service.a)])
        _ = service.handler.plan(for: head)
        #expect(head.notes.actor?.description == "device:" + SHA256Hasher.hash(TestService.fid.utf8).hex.prefix(12))
    }
}

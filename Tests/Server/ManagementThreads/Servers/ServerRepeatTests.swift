import Dispatch
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import Synchronization
import Testing

@testable import HearthManagementTestSupport

/// A load balancer gives a device's call to a second server where the first one died before its answer, perhaps after it
/// had stored what the call asks for. `deploy/nginx/hearth.conf` does so with each of these calls.
@Suite("Several servers: calls of devices made twice", .enabled(if: TestServers.canRun, "TEST_POSTGRES is not set"))
struct ServerRepeatTests {
    private static let path = "/v1/projects/project-a/installations"
    private let servers: TestServers

    init() throws { servers = try TestServers() }

    private func call(
        _ service: TestService, _ method: HTTPMethod, _ path: String, _ json: String = "",
        authorization: String? = nil
    ) throws -> TestResponse {
        var headers: HTTPHeaders = ["X-Goog-Api-Key": service.a.apiKey, "Content-Type": "application/json"]
        headers["Authorization"] = authorization
        return try service.call(method, path, headers: headers, body: Array(json.utf8))
    }

    private func register(_ service: TestService) throws -> TestResponse {
        try call(
            service, .post, Self.path,
            #"{"fid":"\#(TestService.fid)","authVersion":"FIS_v2","appId":"\#(service.a.apiKeyRecord.appID)"}"#)
    }

    private func installationCount() throws -> Int {
        try servers.first.services.metadata.read { try $0.installationCount(project: "project-a") }
    }

    @Test("A registration made twice, also at the same moment, is one installation, and each answer can be used")
    func registration() throws {
        let refreshTokens = Mutex<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            #expect(throws: Never.self) {
                let answer = try register(servers.both[number % 2])
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer.string("fid") == TestService.fid)
                let token = try #require(answer.string("refreshToken"))
                refreshTokens.withLock { _ = $0.insert(token) }
            }
        }
        #expect(try installationCount() == 1)
        for token in refreshTokens.withLock({ $0 }) {
            let renewed = try call(
                servers.second, .post, "\(Self.path)/\(TestService.fid)/authTokens:generate",
                "{}", authorization: "FIS_v2 \(token)")
            #expect(renewed.status == 200, "\(renewed.text)")
        }
    }

    @Test("A token renewed twice: both can be used")
    func token() throws {
        _ = try servers.first.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        let refresh = try #require(try register(servers.first).string("refreshToken"))
        for server in servers.both {
            let renewed = try call(
                server, .post, "\(Self.path)/\(TestService.fid)/authTokens:generate", "{}",
                authorization: "FIS_v2 \(refresh)")
            let token = try #require(renewed.string("token"), "\(renewed.text)")
            for other in servers.both {
                try waitUntil("the server serves the model") {
                    try other.call(
                        .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(other.a.apiKey)",
                        headers: ["x-goog-firebase-installations-auth": token]
                    ).status == 200
                }
            }
        }
    }

    @Test(
        "A deletion made twice is answered 401 the second time, which clients take for done, and takes nothing else along"
    )
    func deletion() throws {
        let refresh = try #require(try register(servers.first).string("refreshToken"))
        let path = "\(Self.path)/\(TestService.fid)"
        #expect(try call(servers.first, .delete, path, authorization: "FIS_v2 \(refresh)").status == 200)
        #expect(try call(servers.second, .delete, path, authorization: "FIS_v2 \(refresh)").status == 401)
        #expect(try installationCount() == 0)
        // The same id, registered again in between, is another installation: the first one's token must not delete it.
        servers.second.time.advance(seconds: 1)
        #expect(try register(servers.second).status == 200)
        #expect(try call(servers.first, .delete, path, authorization: "FIS_v2 \(refresh)").status == 401)
        #expect(try installationCount() == 1)
    }

    @Test("A question for a model and a fetch of parameters change nothing that a second one would answer otherwise")
    func questions() throws {
        _ = try servers.first.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        try servers.first.putTemplate(#"{"parameters":{"a":{"defaultValue":{"value":"1"}}}}"#)
        for server in servers.both {
            try waitUntil("the server serves both") {
                try server.info("flowers").status == 200 && server.fetchAsIOS().text.contains(#""a":"1""#)
            }
        }
        let hashes = try (0..<4).map { try servers.both[$0 % 2].info("flowers").headers["ETag"] }
        #expect(Set(hashes).count == 1)
        let fetched = try (0..<4).map { try servers.both[$0 % 2].fetchAsIOS().text }
        #expect(Set(fetched).count == 1, "\(fetched)")
    }

    @Test("A report made twice at two servers counts once")
    func report() throws {
        try servers.first.makeExperiment(TestService.twoVariantExperiment())
        let batch = [TestService.event(1, "buy"), TestService.event(2, "buy")]
        for server in servers.both + servers.both {
            #expect(try server.report(batch, as: TestService.fid).status == 200)
        }
        let counted = try servers.first.services.metadata.read { store in
            try store.eventDays(project: "project-a", limit: 10).filter { $0.event == "buy" }.reduce(0) {
                $0 + $1.count
            }
        }
        #expect(counted == 2)
    }
}

import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

/// What one server changes, devices and people see at the others.
@Suite("Several servers: news", .enabled(if: TestServers.canRun, "TEST_POSTGRES is not set"))
struct ServerNewsTests {
    private static let template = #"{"parameters":{"a":{"defaultValue":{"value":"1"}}}}"#

    private func message(_ number: Int) -> String { "{\"latestTemplateVersionNumber\":\"\(number)\"}\r\n" }

    @Test("Devices that wait at any server hear of a template that is published or restored at another one")
    func templates() throws {
        let servers = try TestServers()
        let devices = try servers.both.map { try $0.listen() }
        for device in devices { #expect(device.next() == "[") }
        try servers.first.putTemplate(Self.template)
        for device in devices { #expect(device.next() == message(1)) }
        try servers.second.putTemplate(Self.template)
        for device in devices { #expect(device.next() == ",\r\n" + message(2)) }
        let answer = try servers.first.config(.post, "remoteConfig:rollback", #"{"versionNumber":"1"}"#)
        #expect(answer.status == 200)
        for device in devices { #expect(device.next() == ",\r\n" + message(3)) }
    }

    @Test("A template that another server has committed first is served as that one wrote it")
    func sameNumber() throws {
        let servers = try TestServers()
        try servers.first.putTemplate(#"{"parameters":{"a":{"defaultValue":{"value":"first"}}}}"#)
        try servers.second.putTemplate(#"{"parameters":{"a":{"defaultValue":{"value":"second"}}}}"#)
        for server in servers.both {
            try waitUntil("the server serves the second template") {
                try server.fetchAsIOS().text.contains(#""a":"second""#)
            }
        }
    }
}

@Suite("Several servers: devices that called", .enabled(if: TestServers.canRun, "TEST_POSTGRES is not set"))
struct ServerCallTests {
    @Test("People find a device and what it gets at any server, and a deleted one at none")
    func recentDevices() throws {
        let servers = try TestServers()
        let (first, second) = (servers.first, servers.second)
        let model = try first.makeModel("flowers", FakeProbe.ok("one"), isPublished: true)
        first.waitForCheck(FakeProbe.ok("one"))
        try first.makeVersion(model, FakeProbe.ok("two"))
        let made = try first.hearthAdmin(.post, "models/\(model)/releases", #"{"version":2,"share":0.5}"#)
        #expect(made.status == 200, "\(made.text)")
        let answer = try first.call(
            .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(first.a.apiKey)",
            headers: [
                "x-goog-firebase-installations-auth": first.installationToken(first.a),
                "x-ios-bundle-identifier": first.a.bundleID,
            ])
        #expect(answer.status == 200, "\(answer.text)")
        try first.handler.writeForOtherServers()
        for server in servers.both {
            let list = try server.hearthAdmin(.get, "models/\(model)/recentDevices")
            #expect((list["devices"] as? [Any])?.count == 1, "\(list.text)")
        }
        try second.services.metadata.write { try $0.deleteRecentCalls(of: TestService.fid, project: "project-a") }
        let list = try second.hearthAdmin(.get, "models/\(model)/recentDevices")
        #expect(list["devices"] == nil, "\(list.text)")
    }
}

/// The second server hears nothing of the first one, as when a caller is faster than the news.
@Suite("Several servers: what was made a moment ago", .enabled(if: TestServers.canRun, "TEST_POSTGRES is not set"))
struct ReadYourWritesTests {
    private let first: TestService
    private let second: TestService
    private let store: DeafStore

    init() throws {
        first = try TestService(database: TestServers.makeDatabase())
        var deaf: DeafStore?
        second = try TestService(beside: first) { services in
            let store = DeafStore(services.metadata)
            services.metadata = store
            deaf = store
        }
        store = try #require(deaf)
        #expect(try second.hearth(.get, "caller").status == 200)
    }

    @Test("A new admin token, account key and project are accepted by the other server")
    func credentials() throws {
        let token = try first.adminToken(.viewer)
        #expect(try second.hearth(.get, "projects/project-a/apiKeys", token: token).status == 403)
        #expect(try second.hearth(.get, "projects/project-a", token: token).status == 200)
        let key = try first.addKey(to: first.a.account.email)
        #expect(try second.hearth(.get, "caller", token: first.accessToken(key)).status == 200)
        let master = try first.adminToken(.owner, in: nil)
        #expect(try first.hearth(.post, "projects", #"{"projectId":"project-c"}"#, token: master).status == 200)
        #expect(try second.hearth(.get, "projects/project-c", token: master).status == 200)
    }

    @Test("The account of a key that another server made gets an access token")
    func accessTokens() throws {
        let secret = ConsoleSecret()
        var key = first.a.accountKey
        (key.id, key.clientID, key.clientSecretHash) = ("key-2", "client-2", SecretHash.hex(of: secret.text))
        try first.services.metadata.write { try $0.insert(key) }
        func ask(_ secret: String) throws -> Int {
            let form = "grant_type=client_credentials&client_id=client-2&client_secret=\(secret)"
            return try second.call(.post, "/token", body: Array(form.utf8)).status
        }
        #expect(try ask(secret.text) == 200)
        #expect(try ask("wrong") == 401)
    }

    @Test("A device uses the API key, the model and the template that another server stored")
    func devices() throws {
        let made = try first.hearth(
            .post, "projects/project-a/apiKeys",
            #"{"name":"new","appId":"\#(first.a.apiKeyRecord.appID)","bundleIds":["\#(first.a.bundleID)"]}"#)
        #expect(made.status == 200, "\(made.text)")
        let key = try #require(made.string("key"))
        try first.makeModel("first-model", "ok", isPublished: true)
        first.waitForCheck("ok")
        let download = try second.call(
            .get, "/v1beta2/projects/project-a/models/first-model:download",
            headers: [
                "x-goog-api-key": key, "x-ios-bundle-identifier": first.a.bundleID,
                "x-goog-firebase-installations-auth": first.installationToken(first.a),
            ])
        #expect(download.status == 200, "\(download.text)")
        try first.putTemplate(#"{"parameters":{"a":{"defaultValue":{"value":"text"}}}}"#)
        #expect(try second.fetchAsIOS().text.contains(#""a":"text""#))
    }

    @Test("No thread of the HTTP server makes the snapshot with another server's news")
    func snapshotThread() throws {
        let token = try first.adminToken(.viewer)
        let reads = try store.readsHere { () throws -> Void in
            #expect(try second.fetchAsIOS().status == 200)
            #expect(try second.hearth(.get, "projects/project-a/apiKeys", token: token).status == 403)
        }
        #expect(reads == 0)
    }

    @Test("Devices of a project without a template leave the questions for those who have news to find")
    func templateless() throws {
        #expect(try second.fetchAsIOS().status == 200)
        // Until it asks no more, unless the machine is too slow for that.
        let deadline = ContinuousClock.now + .seconds(10)
        var before = 0
        repeat {
            before = store.questions
            #expect(try second.fetchAsIOS().status == 200)
        } while store.questions > before && ContinuousClock.now < deadline
        let token = try first.adminToken(.viewer)
        #expect(try second.fetchAsIOS().status == 200)
        #expect(try second.hearth(.get, "projects/project-a/apiKeys", token: token).status == 403)
        try first.makeModel("new-model", "ok", isPublished: true)
        first.waitForCheck("ok")
        let download = try second.call(
            .get, "/v1beta2/projects/project-a/models/new-model:download?key=\(second.a.apiKey)",
            headers: [
                "x-ios-bundle-identifier": first.a.bundleID,
                "x-goog-firebase-installations-auth": first.installationToken(first.a),
            ])
        #expect(download.status == 200, "\(download.text)")
    }

    @Test("Unknown credentials do not make the server ask the database each time")
    func flood() throws {
        let start = ContinuousClock.now
        for number in 0..<500 {
            #expect(try second.hearth(.get, "caller", token: "hearth_admin_\(number)").status == 401)
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        #expect(Double(store.questions) <= RevisionLooks.perSecond * (1 + seconds) + 1)
    }
}

import Dispatch
import Foundation
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthStorage
import HearthWire
import Synchronization
import Testing

@testable import HearthManagementTestSupport

@Suite("Installations") struct InstallationTests {
    private static let path = "/v1/projects/project-a/installations"

    private let service: TestService

    init() throws { service = try TestService() }

    private func create(_ body: [UInt8], path: String = path, headers: HTTPHeaders = [:]) throws -> TestResponse {
        var headers = headers
        headers["X-Goog-Api-Key"] = service.a.apiKey
        return try service.call(.post, path, headers: headers, body: body)
    }

    private func create(_ json: String) throws -> TestResponse { try create(Array(json.utf8)) }

    private func json(fid: String?) -> String {
        let fid = fid.map { #""fid":"\#($0)","# } ?? ""
        return #"{\#(fid)"authVersion":"FIS_v2","appId":"\#(service.a.apiKeyRecord.appID)","sdkVersion":"i:11.0.0"}"#
    }

    private func generate(_ fid: String, _ authorization: String?) throws -> TestResponse {
        var headers: HTTPHeaders = ["X-Goog-Api-Key": service.a.apiKey]
        headers["Authorization"] = authorization
        return try service.call(
            .post, "\(Self.path)/\(fid)/authTokens:generate", headers: headers,
            body: Array(#"{"installation":{"sdkVersion":"i:11.0.0"}}"#.utf8))
    }

    @Test("A new installation gets all that clients demand, and may use it at once")
    func create() throws {
        #expect(try service.makeModel("flowers", FakeProbe.ok(), isPublished: true) == "1000001")
        let answer = try create(json(fid: TestService.fid))
        #expect(answer.status == 200)
        #expect(answer.string("name") == "projects/\(service.a.project.number)/installations/\(TestService.fid)")
        #expect(answer.string("fid") == TestService.fid, "a chosen id is kept")
        #expect(answer.string("refreshToken")?.hasPrefix("3_") == true)
        #expect(answer.string("authToken.expiresIn") == "604800s")
        let token = try #require(answer.string("authToken.token"))
        let info = try service.call(
            .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)",
            headers: ["x-goog-firebase-installations-auth": token])
        #expect(info.status == 200)
    }

    @Test("iOS adds a slash to the path")
    func trailingSlash() throws {
        #expect(try create(Array(json(fid: nil).utf8), path: Self.path + "/").status == 200)
    }

    @Test(
        "An id that is none is replaced by a good one",
        arguments: [nil, "", "legacyIDs11", "bAAAAAAAAAAAAAAAAAAAA1", String(repeating: "c", count: 500), "../../x"])
    func badID(fid: String?) throws {
        let answer = try create(json(fid: fid))
        let made = try #require(answer.string("fid"))
        #expect(answer.status == 200 && made != fid)
        #expect(InstallationID.isValid(made))
        #expect(answer.string("name")?.hasSuffix("/" + made) == true)
    }

    @Test("Android compresses the body, with or without saying so", arguments: [true, false])
    func gzip(isAnnounced: Bool) throws {
        let body = GzipFile.stored(Array(json(fid: TestService.fid).utf8))
        let answer = try create(body, headers: isAnnounced ? ["Content-Encoding": "gzip"] : [:])
        #expect(answer.status == 200 && answer.string("fid") == TestService.fid)
    }

    @Test("A small body that unpacks to gigabytes is refused, and so is a damaged one")
    func gzipBomb() throws {
        let bomb = GzipFile.zeros(atLeast: 100 << 20)
        #expect(bomb.count < 1 << 20)
        try create(bomb).expectRefusal(400, "INVALID_ARGUMENT", "The body is not JSON of an installation.")
        let good = GzipFile.stored(Array(json(fid: nil).utf8))
        for count in [2, 10, good.count - 1] {
            try create(Array(good.prefix(count))).expectRefusal(400, "INVALID_ARGUMENT")
        }
    }

    @Test(
        "A body without an app is refused",
        arguments: [
            ("{}", "The field appId is missing."), (#"{"appId":""}"#, "The field appId is missing."),
            (#"{"appId":null}"#, "The field appId is missing."),
            (#"{"appId":5}"#, "The body is not JSON of an installation."),
            ("", "The body is not JSON of an installation."), ("[]", "The body is not JSON of an installation."),
        ])
    func badBodies(body: String, message: String) throws {
        try create(body).expectRefusal(400, "INVALID_ARGUMENT", message)
    }

    @Test("An installation is of the app that the key is for")
    func otherApp() throws {
        try create(#"{"appId":"1:1:ios:0"}"#).expectRefusal(
            400, "INVALID_ARGUMENT", "The field appId does not name the app of this API key.")
    }

    @Test("With a key for any app, an app id has at most 256 bytes, and its refresh token works")
    func longAppID() throws {
        let key = NewAPIKey(projectID: "project-a", name: "any", appID: "", nowMicroseconds: 0)
        try service.services.metadata.write { try $0.insert(key.record) }
        func create(_ count: Int) throws -> TestResponse {
            try service.call(
                .post, Self.path, headers: ["X-Goog-Api-Key": key.key],
                body: Array(#"{"appId":"\#(String(repeating: "a", count: count))"}"#.utf8))
        }
        let answer = try create(256)
        let (fid, token) = (try #require(answer.string("fid")), try #require(answer.string("refreshToken")))
        #expect(try generate(fid, "FIS_v2 \(token)").status == 200)
        try create(257).expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test("Registered again it is the same installation, and its first refresh token goes on")
    func again() throws {
        let service = try TestService()
        func create() throws -> TestResponse {
            try service.call(
                .post, Self.path, headers: ["X-Goog-Api-Key": service.a.apiKey],
                body: Array(json(fid: TestService.fid).utf8))
        }
        let first = try create()
        service.time.advance(seconds: 5)
        let second = try create()
        #expect(second.string("fid") == TestService.fid)
        #expect(second.string("refreshToken") == first.string("refreshToken"))
        let (row, count) = try service.services.metadata.read { store in
            (
                try store.installation(fid: TestService.fid, project: "project-a"),
                try store.installationCount(project: "project-a")
            )
        }
        #expect(count == 1 && row?.createdMicroseconds == TestClock.start.microseconds)
        #expect(row?.appID == service.a.apiKeyRecord.appID)
    }

    @Test("An id that belongs to another app is replaced")
    func otherAppsID() throws {
        let other = NewAPIKey(projectID: "project-a", name: "other", appID: "1:1:web:0", nowMicroseconds: 0)
        try service.services.metadata.write { try $0.insert(other.record) }
        let first = try create(json(fid: TestService.fid))
        let second = try service.call(
            .post, Self.path, headers: ["X-Goog-Api-Key": other.key],
            body: Array(#"{"fid":"\#(TestService.fid)","appId":"1:1:web:0"}"#.utf8))
        let fid = try #require(second.string("fid"))
        #expect(fid != TestService.fid && InstallationID.isValid(fid))
        #expect(first.string("refreshToken") != second.string("refreshToken"))
    }

    @Test("A deleted installation is gone; made again, its old refresh token stays worthless", arguments: ["", "/"])
    func delete(slash: String) throws {
        func delete(_ token: String) throws -> TestResponse {
            try service.call(
                .delete, "\(Self.path)/\(TestService.fid)\(slash)",
                headers: ["X-Goog-Api-Key": service.a.apiKey, "Authorization": "FIS_v2 \(token)"],
                body: slash.isEmpty ? [] : Array("{}".utf8))
        }
        let old = try #require(try create(json(fid: TestService.fid)).string("refreshToken"))
        try delete("3_wrong").expectRefusal(401, "UNAUTHENTICATED")
        let answer = try delete(old)
        #expect(answer.status == 200 && answer.text == "{}")
        try generate(TestService.fid, "FIS_v2 \(old)").expectRefusal(401, "UNAUTHENTICATED")
        try delete(old).expectRefusal(401, "UNAUTHENTICATED")
        #expect(try service.services.metadata.read { try $0.installationCount(project: "project-a") } == 0)

        service.time.advance(seconds: 1)
        let new = try #require(try create(json(fid: TestService.fid)).string("refreshToken"))
        try generate(TestService.fid, "FIS_v2 \(old)").expectRefusal(401, "UNAUTHENTICATED")
        try delete(old).expectRefusal(401, "UNAUTHENTICATED")
        #expect(try generate(TestService.fid, "FIS_v2 \(new)").status == 200)
    }

    @Test("Many at once are all written down, each with its own tokens")
    func many() throws {
        let service = try TestService()
        let answers = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 60) { _ in
            let answer = try? service.call(
                .post, Self.path, headers: ["X-Goog-Api-Key": service.a.apiKey], body: Array(json(fid: nil).utf8))
            if let token = answer?.string("refreshToken") { answers.withLock { $0.append(token) } }
        }
        #expect(Set(answers.withLock { $0 }).count == 60)
        #expect(try service.services.metadata.read { try $0.installationCount(project: "project-a") } == 60)
    }

    @Test("When it cannot be written down, nobody is told that it was")
    func failingStore() throws {
        let failing = try TestService { $0.metadata = UnwritableMetadata(store: $0.metadata) }
        try failing.call(
            .post, Self.path, headers: ["X-Goog-Api-Key": failing.a.apiKey], body: Array(json(fid: nil).utf8)
        ).expectRefusal(507, "RESOURCE_EXHAUSTED", "The server's disk is full.")
    }

    @Test("A refresh token gives a new token")
    func generate() throws {
        let created = try create(json(fid: TestService.fid))
        let refreshToken = try #require(created.string("refreshToken"))
        service.time.advance(seconds: 604_801)
        let answer = try generate(TestService.fid, "FIS_v2 \(refreshToken)")
        #expect(answer.status == 200 && Set(answer.object.keys) == ["token", "expiresIn"])
        #expect(answer.string("expiresIn") == "604800s")
        let claims = service.services.installationTokens.verify(
            try #require(answer.string("token")), nowSeconds: service.time.now.seconds)
        #expect(claims?.fid == TestService.fid && claims?.appId == service.a.apiKeyRecord.appID)
    }

    @Test("An unknown refresh token is 401, upon which clients register anew")
    func unknownRefreshToken() throws {
        let token = try #require(try create(json(fid: TestService.fid)).string("refreshToken"))
        for authorization in [
            nil, "", "FIS_v2", "FIS_v2 ", "FIS_v2 x", "Bearer \(token)", token, "FIS_v2 \(token)A", "FIS_v2  \(token)",
        ] {
            try generate(TestService.fid, authorization)
                .expectRefusal(401, "UNAUTHENTICATED", "This server does not know the installation; register it again.")
        }
        try generate("cAAAAAAAAAAAAAAAAAAAA2", "FIS_v2 \(token)").expectRefusal(401, "UNAUTHENTICATED")
        let other = try TestService()
        try other.call(
            .post, "\(Self.path)/\(TestService.fid)/authTokens:generate",
            headers: ["X-Goog-Api-Key": other.a.apiKey, "Authorization": "FIS_v2 \(token)"]
        ).expectRefusal(401, "UNAUTHENTICATED")
    }

    @Test("Without the project's key nothing of the body is read")
    func key() throws {
        for path in [Self.path, "\(Self.path)/\(TestService.fid)/authTokens:generate"] {
            for key in [nil, "", "wrong", service.b.apiKey] {
                var headers: HTTPHeaders = [:]
                headers["X-Goog-Api-Key"] = key
                let answer = try service.call(.post, path, headers: headers, body: Array(json(fid: nil).utf8))
                answer.expectRefusal(403, "PERMISSION_DENIED")
                #expect(answer.bodyBytesRead == 0)
            }
        }
    }
}

/// A store on a full disk.
private struct UnwritableMetadata: MetadataStore {
    let store: any MetadataStore

    var servingRevision: UInt64 { store.servingRevision }
    var isDamaged: Bool { store.isDamaged }
    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result { try store.read(body) }
    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result {
        throw StorageError(.noSpace, "no room")
    }
}

@Suite("Installations in logs") struct LoggedInstallationTests {
    private static let name = "device:" + SHA256Hasher.hash("cAAAA1".utf8).hex.prefix(12)

    @Test("An installation has the same name everywhere, and its id is nowhere")
    func names() {
        #expect(InstallationLogName(id: "cAAAA1").description == Self.name)
        let line = "x-1 DELETE /v1/projects/p/installations/cAAAA1: the disk is full"
        #expect(
            InstallationLogName.redacted(line)
                == "x-1 DELETE /v1/projects/p/installations/\(Self.name): the disk is full")
        #expect(
            InstallationLogName.redacted("/installations/cAAAA1/installations/cAAAA1")
                == "/installations/\(Self.name)/installations/\(Self.name)")
    }

    @Test(
        "Other texts stay as they are",
        arguments: ["", "/", "//", "/installations", "/installations/", "/installations//", "installations/a", "é/ü"])
    func others(text: String) { #expect(InstallationLogName.redacted(text) == text) }
}

import Foundation
import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthStorage
import HearthWire
import Synchronization
import Testing

@testable import HearthManagementTestSupport

@Suite("API keys") struct APIKeyTests {
    private static let path = "projects/project-a/apiKeys"
    private let service: TestService

    init() throws {
        service = try TestService()
        try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
    }

    private func key(_ answer: TestResponse) throws -> KeyBodies.APIKey {
        #expect(answer.status == 200, "\(answer.text)")
        return try WireJSON.decode(KeyBodies.APIKey.self, from: answer.body)
    }

    private func list() throws -> [KeyBodies.APIKey] {
        let answer = try service.hearth(.get, Self.path)
        return try WireJSON.decode(KeyBodies.APIKeyList.self, from: answer.body).apiKeys ?? []
    }

    private func download(_ key: String?, _ headers: HTTPHeaders = [:]) throws -> TestResponse {
        var headers = headers
        headers["x-goog-firebase-installations-auth"] = try service.installationToken(service.a)
        headers["x-goog-api-key"] = key
        return try service.call(.get, "/v1beta2/projects/project-a/models/flowers:download", headers: headers)
    }

    @Test("A new key works at once for its new app, and is shown this once")
    func create() throws {
        let made = try key(service.hearth(.post, Self.path, #"{"name":"Flowers for Android","platform":"android"}"#))
        let text = try #require(made.key)
        #expect(text.wholeMatch(of: /A[A-Za-z0-9_-]{38}/) != nil)
        #expect(made.appId.wholeMatch(of: /1:[0-9]{12}:android:[0-9a-f]{22}/) != nil)
        #expect(try download(text).status == 200)
        let listed = try list()
        #expect(listed.map(\.name) == ["first", "Flowers for Android"] && listed.allSatisfy { $0.key == nil })
        #expect(try service.auditLines().last == "\(service.a.account.email) apiKey.create apiKeys/\(made.id)")

        let second = try key(service.hearth(.post, Self.path, #"{"name":"second","appId":"\#(made.appId)"}"#))
        #expect(second.appId == made.appId && second.id != made.id)
        try service.hearth(.post, Self.path, #"{"name":"x","appId":"\#(service.b.apiKeyRecord.appID)"}"#)
            .expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test("After a rotation both keys work, until the time of grace is over")
    func rotate() throws {
        let old = service.a.apiKeyRecord
        let made = try key(service.hearth(.post, "\(Self.path)/\(old.id):rotate", #"{"graceSeconds":3600}"#))
        #expect(made.appId == old.appID && made.name == old.name)
        #expect(try download(service.a.apiKey).status == 200 && download(made.key).status == 200)
        try service.hearth(.post, "\(Self.path)/\(old.id):rotate").expectRefusal(400, "FAILED_PRECONDITION")
        service.time.advance(seconds: 3599)
        #expect(try download(service.a.apiKey).status == 200)
        service.time.advance(seconds: 1)
        try download(service.a.apiKey).expectRefusal(
            403, "PERMISSION_DENIED", "API key expired. Please renew the API key.")
        #expect(try download(made.key).status == 200)
        #expect(try list().map(\.endTime) == ["2027-01-15T09:00:00.000123Z", nil])
    }

    @Test("Without a body, the old key goes on for thirty days")
    func defaultGrace() throws {
        _ = try key(service.hearth(.post, "\(Self.path)/\(service.a.apiKeyRecord.id):rotate"))
        service.time.advance(seconds: 30 * 86_400 - 1)
        #expect(try download(service.a.apiKey).status == 200)
        service.time.advance(seconds: 1)
        #expect(try download(service.a.apiKey).status == 403)
    }

    @Test("A key ends at once when it is told to, also in its time of grace")
    func end() throws {
        let path = "\(Self.path)/\(service.a.apiKeyRecord.id)"
        let made = try key(service.hearth(.post, "\(path):rotate"))
        #expect(try download(service.a.apiKey).status == 200)
        #expect(try service.hearth(.delete, path).status == 200)
        #expect(try download(service.a.apiKey).status == 403)
        #expect(try download(made.key).status == 200)
        #expect(try key(service.hearth(.delete, path)).unchanged == true)
        try service.hearth(.patch, path, #"{"name":"x"}"#).expectRefusal(400, "FAILED_PRECONDITION")
        #expect(
            try service.auditLines().suffix(2).map { $0.split(separator: " ")[1] } == ["apiKey.rotate", "apiKey.end"])
    }

    @Test("A restricted key is for the apps that it names")
    func restriction() throws {
        let path = "\(Self.path)/\(service.a.apiKeyRecord.id)"
        let restricted = try key(
            service.hearth(.patch, path, #"{"bundleIds":["app.flowers","app.flowers.beta"]}"#))
        #expect(restricted.bundleIds == ["app.flowers", "app.flowers.beta"] && restricted.name == "first")
        let key = service.a.apiKey
        #expect(try download(key, ["X-Ios-Bundle-Identifier": "app.flowers"]).status == 200)
        #expect(try download(key, ["X-Android-Package": "app.flowers.beta"]).status == 200)
        try download(key, ["X-Ios-Bundle-Identifier": "app.other"]).expectRefusal(
            403, "PERMISSION_DENIED", "Requests from this iOS client application app.other are blocked.")
        try download(key, ["X-Android-Package": "app.other"]).expectRefusal(
            403, "PERMISSION_DENIED", "Requests from this Android client application app.other are blocked.")
        try download(key).expectRefusal(
            403, "PERMISSION_DENIED", "Requests from this iOS client application <empty> are blocked.")
        #expect(
            try download(key, ["X-Ios-Bundle-Identifier": String(repeating: "x", count: 9000)]).text.utf8.count < 500)
        _ = try self.key(service.hearth(.patch, path, #"{"bundleIds":[]}"#))
        #expect(try download(key).status == 200)
    }

    @Test(
        "Bad bodies are refused, and nothing is written",
        arguments: [
            "{}", #"{"name":""}"#, #"{"name":"a\u0007"}"#, #"{"name":"x","platform":"windows"}"#,
            #"{"name":"x","bundleIds":["a b"]}"#, #"{"name":"x","bundleIds":[""]}"#, #"{"name":"x","bundleIds":"a"}"#,
            #"{"name":"x","appId":"1:1:ios:0"}"#, "[]", "x",
        ])
    func refusals(body: String) throws {
        let before = try service.audit().count
        try service.hearth(.post, Self.path, body).expectRefusal(400, "INVALID_ARGUMENT")
        #expect(try service.audit().count == before)
    }

    @Test("Times of grace are 0 seconds to ten years", arguments: [-1, 315_360_001, Int64.max, Int64.min])
    func grace(seconds: Int64) throws {
        try service.hearth(
            .post, "\(Self.path)/\(service.a.apiKeyRecord.id):rotate", #"{"graceSeconds":\#(seconds)}"#
        ).expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test("Who has a key in hand finds out which one it is, and is not told the key again")
    func lookUp() throws {
        let answer = try service.hearth(.post, "\(Self.path):lookup", #"{"key":"\#(service.a.apiKey)"}"#)
        #expect(try key(answer).id == service.a.apiKeyRecord.id && key(answer).key == nil)
        for other in [service.b.apiKey, "", "A"] {
            try service.hearth(.post, "\(Self.path):lookup", #"{"key":"\#(other)"}"#)
                .expectRefusal(404, "NOT_FOUND")
        }
    }

    @Test("Keys of another project are not there")
    func otherProject() throws {
        let path = "\(Self.path)/\(service.b.apiKeyRecord.id)"
        try service.hearth(.delete, path).expectRefusal(404, "NOT_FOUND")
        try service.hearth(.patch, path, "{}").expectRefusal(404, "NOT_FOUND")
        try service.hearth(.post, "\(path):rotate").expectRefusal(404, "NOT_FOUND")
    }

    @Test("While keys are rotated, the newest one and the one before always work")
    func concurrentRotation() throws {
        let current = Mutex(service.a.apiKey)
        let isOver = Mutex(false)
        let refused = Mutex(0)
        let devices = (0..<3).map { _ in
            Thread { [service] in
                while !isOver.withLock({ $0 }) {
                    let key = current.withLock { $0 }
                    let status = try? service.call(
                        .get, "/v1beta2/projects/project-a/models/flowers:download",
                        headers: [
                            "x-goog-api-key": key,
                            "x-goog-firebase-installations-auth": try service.installationToken(service.a),
                        ]
                    ).status
                    if status != 200 { refused.withLock { $0 += 1 } }
                }
            }
        }
        for device in devices { device.start() }
        var id = service.a.apiKeyRecord.id
        for _ in 0..<20 {
            let made = try key(service.hearth(.post, "\(Self.path)/\(id):rotate", #"{"graceSeconds":60}"#))
            id = made.id
            current.withLock { $0 = made.key ?? "" }
        }
        isOver.withLock { $0 = true }
        #expect(refused.withLock { $0 } == 0)
        #expect(try list().count { $0.endTime == nil } == 1)
    }

    @Test("Of many rotations of one key at once, one is made")
    func racingRotations() async throws {
        let path = "\(Self.path)/\(service.a.apiKeyRecord.id):rotate"
        let statuses = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let status = (try? service.hearth(.post, path).status) ?? 0
            statuses.withLock { $0.append(status) }
        }
        #expect(statuses.withLock { $0.sorted() } == [200, 400, 400, 400, 400, 400, 400, 400])
        #expect(try list().count == 2)
    }
}

import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("The copy for followers") struct MirrorRouteTests {
    private let service: TestService

    init() throws { service = try TestService() }

    private func get(_ path: String = "", _ token: String, etag: String? = nil) throws -> TestResponse {
        var headers: HTTPHeaders = ["Authorization": "Bearer \(token)"]
        headers["If-None-Match"] = etag
        return try service.call(.get, "/hearth/v1/server/mirror" + path, headers: headers)
    }

    private func state(_ answer: TestResponse) throws -> MirrorBodies.State {
        try #require(answer.status == 200, "\(answer.text)")
        return try WireJSON.decode(MirrorBodies.State.self, from: answer.body)
    }

    @Test("Only tokens of the role mirror and operators get it, and the role may do nothing else")
    func access() throws {
        let root = try service.adminToken(.owner, in: nil)
        let made = try service.hearth(.post, "adminTokens", #"{"name":"site","role":"mirror"}"#, token: root)
        let token = try #require(made.string("token"), "\(made.text)")
        #expect(try get("", token).status == 200)
        #expect(try get("", service.adminToken(.owner, in: nil)).status == 200)
        for other in [try service.adminToken(.owner), try service.adminToken(.viewer, in: nil)] {
            try get("", other).expectRefusal(403, "PERMISSION_DENIED")
            try get("/installations", other).expectRefusal(403, "PERMISSION_DENIED")
            try get("/files/" + hash("a"), other).expectRefusal(403, "PERMISSION_DENIED")
        }
        for path in ["projects/project-a/models", "projects/project-a/apiKeys", "projects/project-a/overview"] {
            let answer = try service.hearth(.get, path, token: token)
            #expect(answer.status == 403 || answer.status == 404, "\(path): \(answer.text)")
        }
        #expect(try service.hearth(.post, "adminTokens", #"{"name":"x","role":"owner"}"#, token: token).status == 403)
        #expect(try service.hearth(.get, "server/signingKeys", token: token).status == 403)
        // Not for a project, and not for an account.
        try service.hearth(.post, "projects/project-a/adminTokens", #"{"name":"x","role":"mirror"}"#)
            .expectRefusal(400, "INVALID_ARGUMENT")
        try service.hearth(.post, "projects/project-a/serviceAccounts", #"{"accountId":"site","role":"mirror"}"#)
            .expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test("It changes with what devices get, and has no key for admin calls or links")
    func content() throws {
        let token = try service.adminToken(.mirror, in: nil)
        let first = try get("", token)
        let etag = try #require(first.headers["ETag"])
        #expect(try get("", token, etag: etag).status == 304)
        let before = try state(first)
        #expect(before.records.formProblem == nil)
        let secret = service.services.secret.mirroredKeys
        #expect(before.keys == secret && secret.isPlausible)

        let contents = FakeProbe.ok("one")
        try service.makeModel("flowers", contents, isPublished: true)
        let second = try get("", token, etag: etag)
        let after = try state(second)
        #expect(after.revision > before.revision)
        #expect(after.records[.release].count == 1)
        let file = try get("/files/" + hash(contents), token)
        #expect(file.text == contents)
        #expect(try get("/files/" + hash("other"), token).status == 404)
        // A rotation changes no record.
        #expect(
            try service.hearth(.post, "server/signingKeys", token: service.adminToken(.owner, in: nil)).status == 200)
        #expect(try state(get("", token, etag: second.headers["ETag"])).keys.deviceTokens.count == 2)
    }

    @Test("It holds signing keys, so it is compressed for nobody")
    func compression() throws {
        try service.makeModel("flowers", FakeProbe.ok("one"), isPublished: true)
        let answer = try service.call(
            .get, "/hearth/v1/server/mirror",
            headers: [
                "Authorization": "Bearer \(try service.adminToken(.mirror, in: nil))", "Accept-Encoding": "gzip",
            ])
        #expect(answer.headers["Content-Encoding"] != "gzip" && answer.headers["Cache-Control"] == "no-store")
        #expect(answer.body.count > 1024 && answer.text.hasPrefix("{"))
        #expect(try !state(answer).keys.deviceTokens.isEmpty)
    }

    @Test("Installations of a follower are added once")
    func installations() throws {
        let token = try service.adminToken(.mirror, in: nil)
        let path = "server/mirror/installations"
        let body =
            #"{"installations":[{"project":"project-a","fid":"cJ3kd82_TnaVx0q9ZpLw7e","appId":"1:1:ios:a","created":5}]}"#
        #expect(try service.hearth(.post, path, body, token: token)["added"] as? Int == 1)
        #expect(try service.hearth(.post, path, body, token: token)["added"] as? Int == 0)
        let list = try WireJSON.decode(MirrorBodies.Installations.self, from: get("/installations", token).body)
        #expect(list.installations.map(\.fid).contains("cJ3kd82_TnaVx0q9ZpLw7e"))
        for wrong in ["{", #"{"installations":[{"project":"project-a","fid":"x","appId":"a","created":5}]}"#] {
            try service.hearth(.post, path, wrong, token: token).expectRefusal(400, "INVALID_ARGUMENT")
        }
    }
}

import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Devices: look-up of a model") struct DownloadTests {
    private let contents = FakeProbe.ok("flowers")
    private var hash: String { SHA256Hasher.hash(contents.utf8).hex }

    private func makeService() throws -> TestService {
        let service = try TestService()
        try service.makeModel("flowers", contents, isPublished: true)
        return service
    }

    @Test("The answer has exactly the fields and forms that clients read")
    func success() throws {
        let answer = try makeService().info("flowers")
        #expect(answer.status == 200)
        #expect(answer.headers["ETag"] == hash, "without quotes")
        #expect(answer.headers["Content-Type"] == "application/json; charset=utf-8")
        #expect(Set(answer.object.keys) == ["downloadUri", "expireTime", "sizeBytes", "modelFormat"])
        #expect(answer.string("sizeBytes") == "\(contents.utf8.count)", "a number in a string")
        #expect(answer.string("modelFormat") == "TFLITE")
        #expect(answer.string("expireTime") == "2027-01-15T09:00:00.000Z", "exactly three digits")
        let uri = try #require(answer.string("downloadUri"))
        #expect(uri.hasPrefix("http://127.0.0.1:8080/hearth/v1/files/\(hash)?expires=1800003600&signature="))
        #expect(answer.headers["X-Hearth-Model-Version"] == "1")
    }

    @Test("A public address of any characters comes out of the answer as it went in")
    func addressIsEscaped() throws {
        let url = "https://models.example/\"quoted\"\\back\u{1}\n/ü"
        let service = try TestService { $0.publicURL = url }
        try service.makeModel("flowers", contents, isPublished: true)
        let uri = try #require(try service.info("flowers").string("downloadUri"))
        #expect(uri.hasPrefix(url + "/hearth/v1/files/\(hash)?expires="))
    }

    @Test("Devices that ask within one second get one link, and later ones a later link")
    func linksOfOneSecond() throws {
        let service = try makeService()
        let first = try service.link("flowers")
        service.time.advance(seconds: 1)
        let second = try service.link("flowers")
        #expect(first != second)
        #expect(try service.link("flowers") == second)
        #expect(try service.call(.get, first).text == contents)
        #expect(try service.call(.get, second).text == contents)
        let elsewhere = try #require(try service.info("flowers", host: "127.0.0.1:9").string("downloadUri"))
        #expect(elsewhere.hasPrefix("http://127.0.0.1:9/"))
    }

    @Test(
        "Whoever has the hash gets 304 with the ETag and nothing else",
        arguments: [
            "%", "\"%\"", "W/\"%\"", "\"other\", \"%\"", "other,%", "  % ", "W/\"other\" , W/\"%\"", "\"%-gzip\"",
        ])
    func notModified(form: String) throws {
        let header = form.split(separator: "%", omittingEmptySubsequences: false).joined(separator: hash)
        let answer = try makeService().info("flowers", ifNoneMatch: header)
        #expect(answer.status == 304 && answer.body.isEmpty)
        #expect(answer.headers["ETag"] == hash)
    }

    @Test("Whoever has something else gets the answer", arguments: ["", "other", "\"\"", "W/", ",,", "%0", "*"])
    func modified(form: String) throws {
        let header = form.split(separator: "%", omittingEmptySubsequences: false).joined(separator: hash)
        #expect(try makeService().info("flowers", ifNoneMatch: header).status == 200)
    }

    @Test("Only published models are there, under their display name only")
    func notFound() throws {
        let service = try makeService()
        try service.makeModel("private", FakeProbe.ok())
        let id = try service.makeModel("withdrawn", FakeProbe.ok(), isPublished: true)
        #expect(try service.publish(id, false).status == 200)
        for name in ["private", "withdrawn", "missing", "Flowers", "1000001", "fl%2Fowers", "%F0%9F%94%A5"] {
            try service.info(name).expectRefusal(404, "NOT_FOUND", "Requested entity was not found.")
        }
    }

    @Test("The API key may come in the query or in the header")
    func apiKey() throws {
        let service = try makeService()
        let target = "/v1beta2/projects/project-a/models/flowers:download"
        let token = ("x-goog-firebase-installations-auth", try service.installationToken(service.a))
        func status(_ query: String, _ key: String?) throws -> Int {
            var headers: HTTPHeaders = [:]
            headers.add(token.0, token.1)
            headers["X-Goog-Api-Key"] = key
            return try service.call(.get, target + query, headers: headers).status
        }
        let key = service.a.apiKey
        #expect(try status("?key=\(key)", nil) == 200)
        #expect(try status("", key) == 200)
        #expect(try status("?key=\(key)", key) == 200)
        for wrong in [service.b.apiKey, "", String(key.dropLast()), key + "x", "A" + String(repeating: "x", count: 38)]
        {
            #expect(try status("?key=\(wrong)", nil) == 403)
            #expect(try status("", wrong) == 403)
        }
        #expect(try status("?Key=\(key)", nil) == 403)
        try service.call(.get, target).expectRefusal(403, "PERMISSION_DENIED")
        try service.call(.get, target + "?key=x")
            .expectRefusal(403, "PERMISSION_DENIED", "API key not valid. Please pass the API key of this project.")
    }

    @Test("Without a good installation token the answer is 401")
    func installationToken() throws {
        let service = try makeService()
        let target = "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)"
        let good = try service.installationToken(service.a)
        let bad = [
            nil, "", "x", "a.b.c", String(good.dropLast()), try service.installationToken(service.b),
            try service.accessToken(service.a),
            service.services.installationTokens.refreshToken(of: TestService.installation(service.a)),
        ]
        for token in bad {
            var headers: HTTPHeaders = [:]
            headers["X-Goog-Firebase-Installations-Auth"] = token
            try service.call(.get, target, headers: headers).expectRefusal(401, "UNAUTHENTICATED")
        }
        let headers: HTTPHeaders = ["X-Goog-Firebase-Installations-Auth": good]
        #expect(try service.call(.get, target, headers: headers).status == 200)
        service.time.advance(seconds: 604_800)
        try service.call(.get, target, headers: headers).expectRefusal(401, "UNAUTHENTICATED")
    }

    @Test("An admin's token opens no device call, nor the other way round")
    func wrongKindOfToken() throws {
        let service = try makeService()
        try service.call(
            .get, "/v1beta2/projects/project-a/models/flowers:download",
            headers: ["Authorization": "Bearer \(try service.accessToken(service.a))"]
        ).expectRefusal(403, "PERMISSION_DENIED")
        try service.call(
            .get, "/v1beta2/projects/project-a/models",
            headers: ["Authorization": "Bearer \(try service.installationToken(service.a))"]
        ).expectRefusal(401, "UNAUTHENTICATED")
    }
}

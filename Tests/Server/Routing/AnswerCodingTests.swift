import HearthCatalog
import HearthCompression
import HearthHTTP
import HearthIdentity
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Answers in the coding that suits the request") struct AnswerCodingTests {
    private let service: TestService

    init() throws { service = try TestService() }

    /// Of about 20 KB.
    private static let template = json(parameters: 200)

    private static func json(parameters: Int, repeating: Int = 1) -> String {
        let parameters = (0..<parameters).map { number in
            let value = String(repeating: "the value of parameter \(number), as devices get it ", count: repeating)
            return #""parameter_\#(number)":{"defaultValue":{"value":"\#(value)"}}"#
        }
        return #"{"parameters":{\#(parameters.joined(separator: ","))}}"#
    }

    private func fetch(_ coding: String?, ifNoneMatch: String? = nil) throws -> TestResponse {
        var headers: HTTPHeaders = [:]
        headers["Accept-Encoding"] = coding
        return try service.fetch(
            Array("{app_instance_id:'\(TestService.fid)', app_id:'\(service.a.apiKeyRecord.appID)'}".utf8),
            ifNoneMatch: ifNoneMatch, headers: headers)
    }

    private func get(
        _ path: String, _ coding: String?, method: HTTPMethod = .get, _ body: String = "", more: HTTPHeaders = [:]
    ) throws -> TestResponse {
        var headers = try service.bearer()
        headers["Accept-Encoding"] = coding
        for field in more { headers[field.name] = field.value }
        return try service.call(method, path, headers: headers, body: Array(body.utf8))
    }

    private func inflated(_ answer: TestResponse) throws -> [UInt8] {
        try Inflate.gzip(answer.body, limitBytes: 1 << 24)
    }

    @Test("The description of the interface too") func description() throws {
        let plain = try service.call(.get, "/hearth/v1/openapi.json", headers: [:], body: [])
        let gzip = try service.call(
            .get, "/hearth/v1/openapi.json", headers: ["Accept-Encoding": "gzip"], body: [])
        #expect(plain.headers["Content-Encoding"] == nil)
        #expect(gzip.headers["Content-Encoding"] == "gzip" && gzip.headers["Vary"] == "Accept-Encoding")
        #expect(try inflated(gzip) == plain.body)
    }

    @Test("A device that takes gzip gets the same values in a fifth of the bytes, with the same ETag")
    func fetch() throws {
        try service.putTemplate(Self.template)
        let plain = try fetch(nil)
        #expect(plain.headers["Content-Encoding"] == nil && plain.headers["Vary"] == "Accept-Encoding")
        // The first time, when it is kept, and from memory.
        for _ in 1...3 {
            let answer = try fetch("gzip, deflate")
            #expect(answer.headers["Content-Encoding"] == "gzip" && answer.headers["Vary"] == "Accept-Encoding")
            #expect(answer.headers["ETag"] == plain.headers["ETag"])
            #expect(answer.body.count * 5 < plain.body.count)
            #expect(try inflated(answer) == plain.body)
        }
        #expect(try fetch("gzip;q=0").body == plain.body)
    }

    @Test("A device that has its values hears so in every form of the ETag; a short answer names the coding identity")
    func noChange() throws {
        try service.putTemplate(Self.template)
        let etag = try #require(try fetch(nil).headers["ETag"])
        for form in [etag, "\"\(etag)\"", "W/\"\(etag)\"", "\"\(etag)-gzip\"", "W/\"\(etag)-gzip\"", "x, \(etag)"] {
            let answer = try fetch("gzip", ifNoneMatch: form)
            #expect(answer.string("state") == "NO_CHANGE", "\(form)")
            #expect(answer.headers["ETag"] == etag && answer.headers["Content-Encoding"] == "identity")
        }
        #expect(try fetch(nil, ifNoneMatch: etag).headers["Content-Encoding"] == nil)
    }

    @Test("Values that take long to compress are compressed too")
    func large() throws {
        try service.putTemplate(Self.json(parameters: 400, repeating: 12))
        let plain = try fetch(nil)
        #expect(plain.body.count > 200_000)
        for _ in 1...3 { #expect(try inflated(fetch("gzip")) == plain.body) }
    }

    @Test("A template comes compressed with its ETag, which names it when it comes back as proxies change it")
    func template() throws {
        try service.putTemplate(Self.template)
        let path = "/v1/projects/project-a/remoteConfig"
        let plain = try get(path, nil)
        let etag = try #require(plain.headers["ETag"])
        let answer = try get(path, "gzip")
        #expect(try answer.headers["ETag"] == etag && inflated(answer) == plain.body)
        let head = try get(path, "gzip", method: .head)
        #expect(head.headers["ETag"] == etag && head.headers["Content-Encoding"] == "gzip")
        for form in ["\"\(etag)-gzip\"", "W/\"\(etag)\"", "W/\"\(etag)-gzip\"", "\"x\", \(etag)"] {
            let put = try get(
                path + "?validateOnly=true", "gzip", method: .put, Self.template, more: ["If-Match": form])
            #expect(put.status == 200, "\(form)")
        }
        let put = try get(path, "gzip", method: .put, Self.template, more: ["If-Match": "W/\"\(etag)\""])
        #expect(put.headers["ETag"]?.hasSuffix("-2") == true && put.headers["Content-Encoding"] == "gzip")
        let stale = try get(path, "gzip", method: .put, "{}", more: ["If-Match": "W/\"\(etag)\""])
        #expect(stale.status == 412)
        let small = try get(path, "gzip", method: .put, "{}", more: ["If-Match": "*"])
        #expect(small.headers["ETag"]?.hasSuffix("-3") == true && small.headers["Content-Encoding"] == "identity")
    }

    @Test("Lists for tools are compressed")
    func lists() throws {
        for number in 0..<10 { try service.makeModel("model-\(number)") }
        let path = "/v1beta2/projects/project-a/models"
        let plain = try get(path, nil)
        #expect(plain.body.count > AnswerCoding.leastBytes)
        #expect(try inflated(get(path, "gzip")) == plain.body)
    }

    @Test("An answer with a secret is never compressed, however long it is")
    func secrets() throws {
        let answer = try get(
            "/hearth/v1/projects/project-a/serviceAccounts", "gzip", method: .post, #"{"name":"ci","role":"viewer"}"#)
        #expect(answer.status == 200 && answer.body.count > AnswerCoding.leastBytes)
        #expect(answer.string("private_key") != nil, "in plain text")
        #expect(answer.headers["Content-Encoding"] == nil)
    }

    @Test("The answer about a model and its file keep their ETag behind a proxy that compresses")
    func models() throws {
        let contents = FakeProbe.ok("flowers")
        try service.makeModel("flowers", contents, isPublished: true)
        func info(_ coding: String?) throws -> TestResponse {
            var headers: HTTPHeaders = ["x-goog-firebase-installations-auth": try service.installationToken(service.a)]
            headers["Accept-Encoding"] = coding
            return try service.call(
                .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)", headers: headers)
        }
        for _ in 1...2 {
            #expect(try info("gzip").headers["Content-Encoding"] == "identity")
            #expect(try info("br, identity;q=0.5").headers["Content-Encoding"] == "identity")
            #expect(try info(nil).headers["Content-Encoding"] == nil)
            #expect(try info("identity").headers["Content-Encoding"] == nil)
        }
        let link = try service.link("flowers")
        let file = try service.call(.get, link, headers: ["Accept-Encoding": "gzip"])
        #expect(file.text == contents && file.headers["Content-Encoding"] == "identity")
        #expect(try service.call(.get, link).headers["Content-Encoding"] == nil)
        let part = try service.call(.get, link, headers: ["Accept-Encoding": "gzip", "Range": "bytes=0-1"])
        #expect(part.status == 206 && part.headers["Content-Encoding"] == nil, "proxies do not compress parts")
    }

    @Test("A file is not sent to who has it, and not to who wants another one")
    func conditionalFile() throws {
        try service.makeModel("flowers", FakeProbe.ok("flowers"), isPublished: true)
        let link = try service.link("flowers")
        let etag = try #require(try service.call(.get, link).headers["ETag"])
        for form in [etag, "W/\(etag)", "\"x\", W/\(etag)", "*"] {
            let answer = try service.call(.get, link, headers: ["If-None-Match": form])
            #expect(answer.status == 304 && answer.body.isEmpty && answer.headers["ETag"] == etag, "\(form)")
            #expect(try service.call(.get, link, headers: ["If-Match": form]).status == 200, "\(form)")
        }
        #expect(try service.call(.get, link, headers: ["If-None-Match": "\"x\""]).status == 200)
        try service.call(.get, link, headers: ["If-Match": "\"x\""]).expectRefusal(412, "FAILED_PRECONDITION")
    }
}

struct CompressedBodiesTests {
    private func body(_ number: Int) -> [UInt8] { Array(String(repeating: "body \(number) ", count: 200).utf8) }

    @Test("A body is kept from its second time on, and bodies that come once displace none")
    func kept() throws {
        let bodies = CompressedBodies(keptBytes: 1 << 20, seen: 100)
        let first = try #require(bodies.gzip(body(0)))
        #expect(bodies.count == 0)
        #expect(bodies.gzip(body(0)) == first && bodies.count == 1)
        for number in 1...10_000 { _ = bodies.gzip(body(number)) }
        #expect(bodies.count == 1 && bodies.contains(body(0)))
        #expect(try Inflate.gzip(first, limitBytes: 10_000) == body(0))
    }

    @Test("However many bodies come again, few are kept, and the last ones are among them")
    func bounded() {
        let bodies = CompressedBodies(keptBytes: 1 << 20, seen: 100)
        for number in 0..<500 {
            for _ in 1...2 { _ = bodies.gzip(body(number)) }
        }
        #expect(bodies.count <= 64)
        #expect(bodies.contains(body(499)) && !bodies.contains(body(0)))
    }

    @Test("Bytes that gzip makes longer stay as they are")
    func random() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(CompressedBodies().gzip(bytes) == nil)
    }

    @Test("What is used stays; what is too large is not kept")
    func entries() {
        var entries = RecentEntries<Int, Int>(limit: 20)
        entries.set(0, of: 0, cost: 1)
        for number in 1...100 {
            #expect(entries.value(of: 0) == 0, "used all the time")
            entries.set(number, of: number, cost: 1)
            #expect(entries.count <= 20)
        }
        #expect(entries.value(of: 1) == nil && entries.value(of: 100) == 100)
        entries.set(1, of: 1000, cost: 11)
        #expect(entries.value(of: 1000) == nil)
    }
}

import Foundation
import HearthCrypto
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import Testing

@testable import HearthManagementTestSupport

@Suite("Devices: bytes behind a signed link") struct LinkTests {
    private let contents = FakeProbe.ok("0123456789")

    private func makeService() throws -> TestService {
        let service = try TestService()
        try service.makeModel("flowers", contents, isPublished: true)
        return service
    }

    @Test("The link gives the bytes, without key or token, to anybody, until it expires")
    func bytes() throws {
        let service = try makeService()
        let link = try service.link("flowers")
        let answer = try service.call(.get, link, from: "203.0.113.9")
        #expect(answer.status == 200 && answer.text == contents)
        #expect(answer.headers["Accept-Ranges"] == "bytes")
        #expect(answer.headers["ETag"] == "\"\(SHA256Hasher.hash(contents.utf8).hex)\"")
        service.time.advance(seconds: 3599)
        #expect(try service.call(.get, link).status == 200)
        service.time.advance(seconds: 1)
        // Clients ask for a new link upon 400, and upon nothing else.
        try service.call(.get, link)
            .expectRefusal(400, "INVALID_ARGUMENT", "The link has expired; ask for a new one.")
        #expect(try service.call(.get, try service.link("flowers")).status == 200)
    }

    @Test("A trusted proxy is told which file to send; anybody else gets the bytes")
    func proxy() throws {
        let service = try TestService { $0.accelRedirectPrefix = "/blobs/" }
        try service.makeModel("flowers", contents, isPublished: true)
        let link = try service.link("flowers")
        func ask(_ target: String, trusted: String) throws -> TestResponse {
            let head = try RequestHead(
                method: .get, target: target, remoteAddress: "10.0.0.7",
                trustedProxies: try #require(AddressRanges(trusted)))
            return try #require(InProcessCall.run(service.handler, head, body: [], pieceBytes: 1))
        }
        let told = try ask(link, trusted: "10.0.0.0/8")
        #expect(told.status == 200 && told.body.isEmpty)
        #expect(told.headers["X-Accel-Redirect"] == "/blobs/" + SHA256Hasher.hash(contents.utf8).hex)
        let direct = try ask(link, trusted: "192.0.2.1")
        #expect(direct.text == contents && direct.headers["X-Accel-Redirect"] == nil)
        let forged = try ask(link.replacing("signature=", with: "signature=A"), trusted: "10.0.0.0/8")
        #expect(forged.status == 403 && forged.headers["X-Accel-Redirect"] == nil)
    }

    @Test(
        "Devices are sent to a CDN, if the server's settings name one; a store without links lets the server send the bytes"
    )
    func elsewhere() throws {
        let behindCDN = try TestService { $0.modelLinks = .prefix("https://cdn.example/models/") }
        try behindCDN.makeModel("flowers", contents, isPublished: true)
        let answer = try behindCDN.info("flowers")
        #expect(answer.string("downloadUri") == "https://cdn.example/models/" + SHA256Hasher.hash(contents.utf8).hex)
        let ofFolder = try TestService { $0.modelLinks = .store }
        try ofFolder.makeModel("flowers", contents, isPublished: true)
        #expect(try ofFolder.call(.get, ofFolder.link("flowers")).text == contents)
    }

    @Test("The link of an old version goes on working after a new one is released")
    func oldVersion() throws {
        let service = try makeService()
        let link = try service.link("flowers")
        #expect(try service.upload(FakeProbe.ok("new"), name: "flowers").status == 200)
        #expect(
            try service.admin(
                .patch, "models/1000001", #"{"tfliteModel":{"gcsTfliteUri":"\#(service.uri("flowers"))"}}"#
            )["response.hearth.releasedVersion"] as? Int == 2)
        #expect(try service.call(.get, link).text == contents)
        #expect(try service.call(.get, try service.link("flowers")).text == FakeProbe.ok("new"))
    }

    @Test(
        "Parts of the bytes",
        arguments: [
            ("bytes=0-1", 206, "ok", "bytes 0-1/14"), ("bytes=3-", 206, "0123456789\n", "bytes 3-13/14"),
            ("bytes=-3", 206, "89\n", "bytes 11-13/14"), ("bytes=13-99", 206, "\n", "bytes 13-13/14"),
            ("bytes=14-", 416, "", "bytes */14"), ("bytes=-0", 416, "", "bytes */14"),
            ("bytes=99999999999999999999-", 416, "", "bytes */14"), ("lines=1-2", 200, "ok 0123456789\n", nil),
            ("bytes=2-1", 200, "ok 0123456789\n", nil), ("bytes=0-1,3-4", 200, "ok 0123456789\n", nil),
        ] as [(String, Int, String, String?)])
    func ranges(range: String, status: Int, text: String, contentRange: String?) throws {
        let service = try makeService()
        let answer = try service.call(.get, try service.link("flowers"), headers: ["Range": range])
        #expect(answer.status == status && answer.text == text)
        #expect(answer.headers["Content-Range"] == contentRange)
    }

    @Test("A download goes on only with the bytes that it began with")
    func ifRange() throws {
        let service = try makeService()
        let link = try service.link("flowers")
        let etag = try #require(try service.call(.get, link).headers["ETag"])
        #expect(try service.call(.get, link, headers: ["Range": "bytes=3-", "If-Range": etag]).status == 206)
        #expect(try service.call(.get, link, headers: ["Range": "bytes=3-", "If-Range": "\"other\""]).status == 200)
    }

    @Test("HEAD tells the length and is held to the same rules")
    func head() throws {
        let service = try makeService()
        let link = try service.link("flowers")
        let answer = try service.call(.head, link, headers: ["Range": "bytes=0-1"])
        #expect(answer.status == 200 && answer.body.count == contents.utf8.count)
        try service.call(.head, link + "0").expectRefusal(403, "PERMISSION_DENIED")
        service.time.advance(seconds: 3600)
        try service.call(.head, link).expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test("Whatever is altered or missing makes it 403, also after it has expired")
    func altered() throws {
        let service = try makeService()
        let link = try service.link("flowers")
        let other = SHA256Hasher.hash([1]).hex
        let (path, query) = (link.prefix { $0 != "?" }, link.drop { $0 != "?" })
        let signature = query.drop { $0 != "&" }
        let altered = [
            String(path), "\(path)?", "\(path)?expires=1800003600", "\(path)?x=1\(signature)",
            "/hearth/v1/files/\(other)\(query)", "/hearth/v1/files/\(path.dropFirst(18).uppercased())\(query)",
            "/hearth/v1/files/x\(query)", "\(path)?expires=1800003601\(signature)",
            "\(path)?expires=9223372036854775807\(signature)", "\(path)?expires=-1\(signature)",
            "\(path)?expires=99999999999999999999\(signature)", "\(path)?expires=x\(signature)", "\(link)A",
            String(link.dropLast()), "\(path)?expires=1800003600&signature=",
            "\(path)?expires=1800003600&signature=%00",
        ]
        for _ in 0..<2 {
            for link in altered.dropLast() {
                try service.call(.get, link)
                    .expectRefusal(403, "PERMISSION_DENIED", "The link is incomplete or altered.")
            }
            #expect(throws: HTTPFault.self) { try service.call(.get, altered.last ?? "") }
            service.time.advance(seconds: 4000)
        }
    }

    @Test("A link whose bytes are gone is 404, one whose file is damaged tells nothing about the disk")
    func goneBytes() throws {
        let service = try makeService()
        let link = try service.link("flowers")
        let digest = SHA256Hasher.hash(contents.utf8)
        try service.services.blobs.remove(digest)
        try service.call(.get, link).expectRefusal(404, "NOT_FOUND", "Requested entity was not found.")
        let path = service.blobFolder + "/" + digest.hex
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try service.call(.get, link)
            .expectRefusal(500, "INTERNAL", "The server failed to do this; its log says why.")
        let line = try #require(service.log.lines.last)
        #expect(
            line == "request-1 GET /hearth/v1/files/\(digest.hex): The stored file \(digest.hex) is not a regular file")
    }
}

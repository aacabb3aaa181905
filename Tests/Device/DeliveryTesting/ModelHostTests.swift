import Foundation
import HearthApp
import HearthDelivery
import HearthDeliveryTesting
import HearthTransport
import HearthWire
import Testing

@Suite("The wire of the model host")
struct ModelHostWireTests {
    private let client = HostClient()
    private var host: ModelHost { client.host }

    init() { host.publish(Sample.new, as: "digits") }

    // MARK: Installations

    @Test("Registering keeps the device's id, and issues tokens for a week")
    func register() throws {
        let answer = try client.register()
        #expect(answer.fid == HostClient.id)
        #expect(answer.authToken.expiresIn == "604800s")
        #expect(try client.info("digits", token: answer.authToken.token).status == 200)
    }

    @Test("A new token needs the device's refresh token")
    func renew() throws {
        let answer = try client.register()
        let url = client.installationsURL + "/\(try #require(answer.fid))/authTokens:generate"
        let renewed = try client.send("POST", url, [("Authorization", "FIS_v2 \(answer.refreshToken)")])
        let token = try WireJSON.decode(InstallationBodies.AuthToken.self, from: renewed.body).token
        #expect(token != answer.authToken.token)
        #expect(try client.info("digits", token: token).status == 200)
        #expect(try client.send("POST", url, [("Authorization", "FIS_v2 x")]).problem == "UNAUTHENTICATED")
    }

    @Test("A deleted or forgotten installation is not known any more")
    func forgotten() throws {
        let answer = try client.register()
        let proof = [("Authorization", "FIS_v2 \(answer.refreshToken)")]
        let url = client.installationsURL + "/\(try #require(answer.fid))"
        #expect(try client.send("DELETE", url + "/", proof).status == 200)
        #expect(try client.send("DELETE", url, proof).problem == "NOT_FOUND")
        _ = try client.register()
        host.forgetInstallations()
        #expect(try client.send("POST", url + "/authTokens:generate", proof).problem == "NOT_FOUND")
        #expect(try client.info("digits", token: answer.authToken.token).problem == "UNAUTHENTICATED")
    }

    @Test("Requests without a key or a valid token are refused")
    func refused() throws {
        let token = try client.register().authToken.token
        #expect(
            try client.send("POST", client.installationsURL, body: "{}", hasKey: false).problem == "PERMISSION_DENIED")
        #expect(try client.info("digits", token: "").problem == "UNAUTHENTICATED")
        host.clock.advance(bySeconds: 604_799)
        #expect(try client.info("digits", token: token).status == 200)
        host.clock.advance(bySeconds: 1)
        #expect(try client.info("digits", token: token).problem == "UNAUTHENTICATED")
    }

    @Test("Unknown calls", arguments: ["PUT", "GET"])
    func noSuchCall(method: String) throws {
        for path in ["", "/a", "/a/b", "/a/authTokens:generate/c"] {
            #expect(try client.send(method, client.installationsURL + path).problem == "NOT_FOUND")
        }
        #expect(try client.send("POST", client.installationsURL, body: "[").problem == "INVALID_ARGUMENT")
    }

    // MARK: Models

    @Test("The answer about a model: hash, version, link, expiry, size")
    func info() throws {
        let answer = try client.info("digits")
        #expect(answer.headers["etag"] == Sample.hash(Sample.new))
        #expect(answer.headers["x-hearth-model-version"] == "1")
        let info = try WireJSON.decode(DownloadInfo.self, from: answer.body)
        #expect(info.sizeBytes == "20000")
        #expect(info.expireTime == "2026-01-01T01:00:00.000Z")
        #expect(info.downloadUri.hasPrefix("https://files.example.net/"))
        #expect(try client.file(info.downloadUri).body == Array(Sample.new))
        host.publish(Sample.old, as: "digits")
        #expect(try client.info("digits").headers["x-hearth-model-version"] == "2")
        #expect(try client.file(info.downloadUri).body == Array(Sample.new), "the link outlives the version")
    }

    @Test("304 for the installed version; 404 for a model that is not published, or not any more")
    func others() throws {
        let same = try client.info("digits", installedHash: Sample.hash(Sample.new))
        #expect(same.status == 304)
        #expect(same.body.isEmpty)
        #expect(same.headers["etag"] == Sample.hash(Sample.new))
        #expect(try client.info("digits", installedHash: Sample.hash(Sample.old)).status == 200)
        host.unpublish("digits")
        #expect(try client.info("digits").problem == "NOT_FOUND")
        #expect(try client.info("%2e%2e").problem == "NOT_FOUND")
    }

    @Test("A file on the disk, and a missing one")
    func publishedFile() throws {
        let path = NSTemporaryDirectory() + "hearth-host-\(UUID().uuidString)"
        #expect(throws: (any Error).self) { try host.publish(contentsOfFile: path, as: "birds") }
        try Sample.old.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try host.publish(contentsOfFile: path, as: "birds")
        #expect(try client.file(client.link("birds").downloadUri).body == Array(Sample.old))
    }

    // MARK: Files

    @Test(
        "Parts of a file",
        arguments: [
            ("bytes=0-", 0..<20_000), ("bytes=19999-", 19_999..<20_000), ("bytes=5-9", 5..<10),
            ("bytes=5-99999", 5..<20_000), ("bytes=-3", 19_997..<20_000), ("bytes=-99999", 0..<20_000),
            ("bytes=5-99999999999999999999999", 5..<20_000),
        ])
    func part(range: String, expected: Range<Int>) throws {
        let answer = try client.file(client.link("digits").downloadUri, [("Range", range)])
        #expect(answer.status == 206)
        #expect(answer.body == Array(Sample.new[expected]))
        #expect(answer.headers["content-range"] == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/20000")
        #expect(answer.headers["content-length"] == String(expected.count))
    }

    @Test("Parts outside of the file", arguments: ["bytes=20000-", "bytes=-0", "bytes=99999999999999999999999-"])
    func noPart(range: String) throws {
        let answer = try client.file(client.link("digits").downloadUri, [("Range", range)])
        #expect(answer.status == 416)
        #expect(answer.headers["content-range"] == "bytes */20000")
        #expect(answer.body.isEmpty)
    }

    @Test(
        "A request for no single part gets the whole file",
        arguments: ["bytes=9-5", "bytes=-", "bytes=0-1,3-4", "lines=1-2", "x"])
    func wholeFile(range: String) throws {
        let answer = try client.file(client.link("digits").downloadUri, [("Range", range)])
        #expect(answer.status == 200)
        #expect(answer.body.count == 20_000)
    }

    @Test("A part only of the file that the device knows")
    func condition() throws {
        let link = try client.link("digits").downloadUri
        let etag = try #require(try client.file(link).headers["etag"])
        #expect(etag == "\"\(Sample.hash(Sample.new))\"")
        #expect(try client.file(link, [("Range", "bytes=5-"), ("If-Range", etag)]).status == 206)
        #expect(try client.file(link, [("Range", "bytes=5-"), ("If-Range", "\"other\"")]).status == 200)
        #expect(try client.file(link, [("Range", "bytes=5-"), ("If-Range", "W/" + etag)]).status == 200)
    }

    @Test("Links work until they expire, and not when they are changed")
    func links() throws {
        host.linkLifetimeSeconds = 60
        let link = try client.link("digits").downloadUri
        host.clock.advance(bySeconds: 59)
        #expect(try client.file(link).status == 200)
        host.clock.advance(bySeconds: 1)
        #expect(try client.file(link).problem == "INVALID_ARGUMENT")
        let plain = link.prefix { $0 != "?" }
        #expect(try client.file(String(plain)).problem == "PERMISSION_DENIED")
        #expect(try client.file(host.linkURL + "/x?expires=99999999999").problem == "NOT_FOUND")
        #expect(try client.file(host.linkURL + "/").problem == "NOT_FOUND")
        for lifetime in [Int.max, Int.min, 0] {
            host.linkLifetimeSeconds = lifetime
            #expect(try client.file(client.link("digits").downloadUri).status == (lifetime > 0 ? 200 : 400))
        }
    }

    @Test("Other hosts do not exist")
    func elsewhere() throws {
        for url in ["https://elsewhere.example/x", "https://models.example.com.evil.example/x"] {
            let error = #expect(throws: TransportError.self) { try client.file(url) }
            #expect(error?.code == .couldNotResolve)
        }
    }

    @Test("Requests and bytes are counted")
    func counts() throws {
        let link = try client.link("digits").downloadUri
        _ = try client.file(link)
        _ = try client.file(link, [("Range", "bytes=-100")])
        #expect(host.requestCount(.installation) == 1)
        #expect(host.requestCount(.info) == 1)
        #expect(host.requestCount(.file) == 2)
        #expect(host.bytesSent == 20_100)
    }
}

@Suite("Releases for some devices")
struct ModelHostTargetingTests {
    private let host = ModelHost()

    @Test("Each device gets the newest version that is meant for it")
    func conditions() async throws {
        host.publish(Sample.old, as: "digits")
        host.publish(Sample.new, as: "digits") { $0.tags.contains("beta") && $0.operatingSystem == "linux" }
        let (beta, other) = (try TestDevice(host: host), try TestDevice(host: host))
        try beta.app.deviceDescription.setTags(["beta"])
        #expect(try await beta.get().contents == Sample.new)
        #expect(try await other.get().contents == Sample.old)
    }

    @Test("A model for other devices does not exist for this one")
    func nobody() async throws {
        let device = try TestDevice(host: host)
        host.publish(Sample.old, as: "digits") { $0.country == "CH" }
        #expect(await device.fails())
        try device.app.deviceDescription.setCountry("CH")
        #expect(try await device.get().version == 1)
    }

    @Test("The last description can be read")
    func lastDescription() async throws {
        let device = try TestDevice(host: host)
        #expect(host.lastDescription == nil)
        host.publish(Sample.old, as: "digits")
        try device.app.deviceDescription.setAppVersion("2.10.0")
        try device.app.deviceDescription.setTags(["a", "b"])
        _ = try await device.get()
        #expect(host.lastDescription == device.app.deviceDescription)
    }

    @Test("A rollback returns the version before with its number, and no model after the first version")
    func rollBack() async throws {
        let device = try TestDevice(host: host)
        host.publish(Sample.old, as: "digits")
        host.publish(Sample.new, as: "digits")
        #expect(try await device.get().version == 2)
        host.rollBack("digits")
        #expect(try await device.get().version == 1)
        host.rollBack("digits")
        #expect(await device.fails())
        host.rollBack("digits")
        host.rollBack("none")
        host.publish(Sample.new, as: "digits")
        #expect(try await device.get().version == 3, "numbers are never used twice")
    }

    @Test("A condition may call the host")
    func reentrant() async throws {
        let device = try TestDevice(host: host)
        let host = host
        host.publish(Sample.old, as: "digits") { _ in host.requestCount(.info) == 1 && host.lastDescription != nil }
        #expect(try await device.get().contents == Sample.old)
        #expect(await device.fails())
    }
}

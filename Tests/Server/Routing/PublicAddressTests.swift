import Foundation
import HearthHTTP
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Under which address links are given out") struct PublicAddressTests {
    private func base(
        host: String, from address: String = "127.0.0.1", configure: (inout TestServices) -> Void = { _ in }
    ) throws -> String {
        let service = try TestService(configure: configure)
        try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        let uri = try #require(try service.info("flowers", host: host, from: address).string("downloadUri"))
        let parts = uri.components(separatedBy: "/hearth/v1/files/")
        try #require(parts.count == 2)
        return parts[0]
    }

    @Test("On loopback the Host header is believed", arguments: ["127.0.0.1", "127.8.8.8", "::1"])
    func loopback(address: String) throws {
        #expect(try base(host: "localhost:9999", from: address) == "http://localhost:9999")
        #expect(try base(host: "[::1]:8080", from: address) == "http://[::1]:8080")
    }

    /// Such a request may come from a browser that was told that the name is this machine.
    @Test(
        "On loopback, too, another name than this machine's own is not",
        arguments: ["evil.example", "kiosk.local:9999", "127.0.0.1.evil.example:8080"])
    func rebinding(host: String) throws {
        #expect(try base(host: host) == "http://127.0.0.1:8080")
    }

    @Test("From anywhere else it is not", arguments: ["10.0.0.5", "203.0.113.9", "::ffff:10.0.0.5", "", "1127.0.0.1"])
    func remote(address: String) throws {
        #expect(try base(host: "evil.example", from: address) == "http://127.0.0.1:8080")
    }

    @Test(
        "A Host header that is no host is not believed anywhere",
        arguments: [
            "", "evil.example/path", "user@evil.example", "evil.example?x", "evil.example#x", "a b", "a\\b", "h\u{E9}",
            "%65vil", String(repeating: "a", count: 256),
        ])
    func strangeHosts(host: String) throws {
        #expect(try base(host: host) == "http://127.0.0.1:8080")
    }

    @Test(
        "With a public address the Host header never counts",
        arguments: ["https://models.example", "https://models.example/"])
    func publicURL(url: String) throws {
        for address in ["127.0.0.1", "203.0.113.9"] {
            #expect(try base(host: "evil.example", from: address) { $0.publicURL = url } == "https://models.example")
        }
    }

    @Test("What a trusted proxy was asked for is believed, a stranger's claim is not")
    func forwarded() throws {
        func base(peer: String, _ fields: HTTPHeaders, host: String = "127.0.0.1:8080") throws -> String {
            let head = try RequestHead(
                method: .get, target: "/", headers: fields.with("Host", host), remoteAddress: peer,
                trustedProxies: #require(AddressRanges("127.0.0.1,10.0.0.0/8")))
            return PublicAddress.base(head, try TestService().services.base)
        }
        let claim: HTTPHeaders = ["X-Forwarded-Host": "models.example", "X-Forwarded-Proto": "https"]
        #expect(try base(peer: "10.1.1.1", claim) == "https://models.example")
        #expect(try base(peer: "127.0.0.1", claim) == "https://models.example")
        #expect(try base(peer: "203.0.113.9", claim) == "http://127.0.0.1:8080")
        #expect(
            try base(peer: "127.0.0.2", claim, host: "localhost:99") == "http://localhost:99", "loopback, but no proxy")
        #expect(try base(peer: "127.0.0.1", [:], host: "evil.example") == "http://127.0.0.1:8080")
        #expect(try base(peer: "10.1.1.1", ["X-Forwarded-Host": "evil.example/x"]) == "http://127.0.0.1:8080")
        #expect(
            try base(peer: "127.0.0.2", ["X-Forwarded-For": "1.2.3.4"], host: "evil.example") == "http://127.0.0.1:8080"
        )
    }

    @Test("A country is believed from a trusted proxy only, and only where a field was named for it")
    func country() throws {
        func country(peer: String, _ fields: HTTPHeaders, header: String? = "CF-IPCountry") throws -> String? {
            let head = try RequestHead(
                method: .get, target: "/", headers: fields, remoteAddress: peer,
                trustedProxies: #require(AddressRanges("10.0.0.0/8")))
            return ProxyCountry.of(head, header)
        }
        #expect(try country(peer: "10.1.1.1", ["CF-IPCountry": "ch"]) == "CH")
        #expect(try country(peer: "10.1.1.1", ["cf-ipcountry": "CH"]) == "CH")
        #expect(try country(peer: "203.0.113.9", ["CF-IPCountry": "CH"]) == nil)
        #expect(try country(peer: "10.1.1.1", ["CF-IPCountry": "CH"], header: nil) == nil)
        for value in ["XX", "T1", "", "CHE", "C", "\u{C9}"] {
            #expect(try country(peer: "10.1.1.1", ["CF-IPCountry": value]) == nil)
        }
    }

    @Test("A server with TLS gives out https links")
    func scheme() throws {
        #expect(
            try base(host: "localhost:8443") { $0.localURL = { "https://127.0.0.1:8443" } } == "https://localhost:8443")
    }
}

extension HTTPHeaders {
    fileprivate func with(_ name: String, _ value: String) -> HTTPHeaders {
        var headers = self
        headers[name] = value
        return headers
    }
}

import HearthHTTP
import Testing

/// Whom the header fields of a proxy are believed.
struct ForwardingTests {
    private func head(
        _ fields: [(String, String)], peer: String = "10.0.0.1", trusted: String = "10.0.0.0/8"
    ) throws -> RequestHead {
        var headers = HTTPHeaders()
        for (name, value) in fields { headers.add(name, value) }
        return try RequestHead(
            method: .get, target: "/", headers: headers, remoteAddress: peer,
            trustedProxies: try #require(AddressRanges(trusted)))
    }

    private func client(_ chain: String..., peer: String = "10.0.0.1") throws -> String {
        try head(chain.map { ("X-Forwarded-For", $0) }, peer: peer).remoteAddress
    }

    @Test func theNearestAddressThatIsNoProxyIsTheClient() throws {
        #expect(try client("203.0.113.9") == "203.0.113.9")
        #expect(try client("203.0.113.9, 10.1.1.1, 10.2.2.2") == "203.0.113.9")
        #expect(try client("2001:DB8::9") == "2001:db8::9")
        #expect(try client("203.0.113.9:4711") == "203.0.113.9")
        #expect(try client("[2001:db8::9]:4711") == "2001:db8::9")
        #expect(try client("::ffff:203.0.113.9") == "203.0.113.9")
        #expect(try client("10.9.9.9,10.8.8.8") == "10.9.9.9", "all of them are proxies: the farthest one")
    }

    @Test func whatAClientWroteItselfIsNotBelieved() throws {
        // The proxy appends the address that it sees; what stands in front came with the request.
        #expect(try client("127.0.0.1, 203.0.113.9") == "203.0.113.9")
        #expect(try client("10.5.5.5, 203.0.113.9, 10.1.1.1") == "203.0.113.9")
        #expect(try client("127.0.0.1", "203.0.113.9") == "203.0.113.9", "several fields are one list")
        #expect(try client("203.0.113.9", peer: "192.0.2.1") == "192.0.2.1", "the peer is no proxy")
    }

    @Test(arguments: ["unknown", "_hidden", "", "evil\nline", "1.2.3", "[::1", "203.0.113.9, ", "1.2.3.4 5.6.7.8"])
    func whatIsNoAddressEndsTheChain(item: String) throws {
        #expect(try client(item) == "10.0.0.1")
        #expect(try client("203.0.113.9, \(item), 10.1.1.1") == "10.1.1.1")
    }

    @Test func withoutTheFieldTheProxyItselfIsTheClient() throws {
        #expect(try head([]).remoteAddress == "10.0.0.1")
        #expect(try head([]).forwarded?.host == nil)
        #expect(try head([("Forwarded", "for=203.0.113.9")]).remoteAddress == "10.0.0.1")
    }

    @Test func schemeAndHostAreThoseOfTheNearestProxy() throws {
        let head = try head([
            ("X-Forwarded-Proto", "http, HTTPS"), ("X-Forwarded-Host", "evil.example, models.example:8443"),
        ])
        #expect(head.forwarded?.scheme == "https")
        #expect(head.forwarded?.host == "models.example:8443")
        #expect(try self.head([("X-Forwarded-Proto", "ftp")]).forwarded?.scheme == nil)
    }

    @Test func nothingIsBelievedFromAStranger() throws {
        let head = try head(
            [("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "evil.example")],
            peer: "203.0.113.9")
        #expect(head.forwarded == nil)
        #expect(head.remoteAddress == "203.0.113.9")
        #expect(!head.isLoopback)
    }

    /// A proxy on this machine stands for the whole world.
    @Test func whatAProxyPassesOnIsNeverLoopback() throws {
        let host = ("Host", "127.0.0.1:8787")
        #expect(try head([host], peer: "127.0.0.1").isLoopback)
        #expect(try head([host], peer: "::1").isLoopback)
        #expect(try !head([host], peer: "127.0.0.1", trusted: "127.0.0.1").isLoopback)
        let claim = ("X-Forwarded-For", "127.0.0.1")
        #expect(try !head([host, claim], peer: "127.0.0.1", trusted: "127.0.0.1").isLoopback)
        for name in ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"] {
            #expect(
                try !head([host, (name, "127.0.0.1")], peer: "127.0.0.1", trusted: "").isLoopback, "forgotten setting")
        }
    }
}

struct AddressRangesTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1", "127.0.0.2"), ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"),
        ("10.1.2.3/8", "10.9.9.9", "9.1.2.3"), ("192.0.2.128/25", "192.0.2.128", "192.0.2.127"),
        ("0.0.0.0/0", "203.0.113.9", "2001:db8::1"), ("::/0", "203.0.113.9", "nonsense"),
        ("2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::1"), ("fd00::1", "fd00:0::1", "fd00::2"),
        ("fd00::/8, 127.0.0.1", "127.0.0.1", "fc00::1"), ("10.0.0.0/8", "::ffff:10.1.1.1", "::10.1.1.1"),
    ])
    func holdsWhatIsInIt(text: String, inside: String, outside: String) throws {
        let ranges = try #require(AddressRanges(text))
        #expect(ranges.contains(inside))
        #expect(!ranges.contains(outside))
        #expect(AddressRanges(ranges.description) == ranges)
    }

    @Test(arguments: [
        "localhost", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0", "/8", "1.2.3.4/+8",
        "10.0.0.0/99999999999999999999",
    ])
    func refusesWhatIsNone(text: String) { #expect(AddressRanges(text) == nil) }

    @Test func mayBeEmpty() {
        #expect(AddressRanges(" , ")?.isEmpty == true)
        #expect(!AddressRanges().contains("127.0.0.1"))
    }
}

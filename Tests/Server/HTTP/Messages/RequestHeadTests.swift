import HearthHTTP
import Testing

@testable import struct HearthHTTP.RequestTarget

struct RequestHeadTests {
    private func head(_ target: String) throws -> RequestHead { try RequestHead(method: .get, target: target) }

    @Test func aTargetIsTakenApartAndDecodedOnce() throws {
        let head = try head("/v1/a%20b/%2541/x+y/?q=1+2&q=%26&flag&empty=")
        #expect(head.path == "/v1/a%20b/%2541/x+y/")
        #expect(head.segments == ["v1", "a b", "%41", "x+y"])
        #expect(head.query.first("q") == "1 2")
        #expect(head.query.filter { $0.name == "q" }.map(\.value) == ["1 2", "&"])
        #expect(head.query.first("flag") == "")
        #expect(head.query.first("empty") == "")
        #expect(head.query.first("absent") == nil)
    }

    @Test func anEscapedSlashStaysInsideItsSegment() throws {
        #expect(try head("/o/a%2Fb%2fc").segments == ["o", "a/b/c"])
    }

    @Test func emptySegmentsAreKeptAndTheRootHasNone() throws {
        #expect(try head("/").segments == [])
        #expect(try head("//a//b").segments == ["", "a", "", "b"])
    }

    @Test(arguments: ["http://host:8080/a?b=1", "HTTPS://host/a?b=1"])
    func absoluteTargetsAreAccepted(target: String) throws {
        let head = try head(target)
        #expect(head.segments == ["a"])
        #expect(head.query.first("b") == "1")
    }

    @Test(arguments: [
        "/a%00b", "/%zz", "/%", "/%4", "/%C3%28", "/%ff", "/..", "/a/../b", "/%2e%2E/etc", "/.", "/a/%2e", "*", "",
        "a/b", "/a b", "/ä", "/a\u{1}", "/a#b", "/a?b=%zz", "/a?%00", "/m%ZZ:download", "/m:%zz", "/a?b=%C3%28",
    ])
    func hostileTargetsAreBadRequests(target: String) {
        let fault = #expect(throws: HTTPFault.self) { try head(target) }
        #expect(fault?.status == 400)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.1.2.3", true), ("::1", true), ("10.0.0.1", false), ("::2", false), ("", false),
    ])
    func loopbackIsRecognised(address: String, isLoopback: Bool) throws {
        let head = try RequestHead(
            method: .get, target: "/", headers: ["Host": "localhost"], remoteAddress: address)
        #expect(head.isLoopback == isLoopback)
    }

    /// What asks for another name may be a proxy that tells nothing of itself, or a browser that was lied to about the
    /// name's address.
    @Test(arguments: [
        ("localhost", true), ("LocalHost:8787", true), ("127.0.0.1", true), ("127.0.0.1:8787", true),
        ("127.9.9.9:1", true), ("[::1]", true), ("[::1]:8787", true), ("models.example", false),
        ("models.example:8787", false), ("127.0.0.1.evil.example", false), ("localhost.evil.example:80", false),
        ("10.0.0.1:8787", false), ("[::2]:8787", false), ("[::1", false), ("::1", false), ("", false), (":", false),
        ("localhost:", true), ("localhost:8787:1", false), ("[::1]x", false), ("[127.0.0.1]", false), ("127.1", false),
    ])
    func thisMachineIsAskedForByItsOwnNames(host: String, isLoopback: Bool) throws {
        for address in ["127.0.0.1", "::1"] {
            let head = try RequestHead(
                method: .get, target: "/", headers: ["Host": host], remoteAddress: address)
            #expect(head.isLoopback == isLoopback)
        }
        #expect(try !RequestHead(method: .get, target: "/", headers: ["Host": host], remoteAddress: "").isLoopback)
    }

    @Test func aRequestWithoutAHostIsNotTakenForOneOfThisMachine() throws {
        #expect(try !RequestHead(method: .get, target: "/", remoteAddress: "127.0.0.1").isLoopback)
    }

    @Test(arguments: [
        ("/a?key=AIza&alt=json", "/a?key=*&alt=*"), ("/a", "/a"), ("/a?", "/a?"), ("/a?secret", "/a?*"),
        ("/a?k=v?w=x&=y", "/a?k=*&=*"), ("/a\n\u{1B}[0m", "/a%0A%1B[0m"),
    ])
    func logsKeepQueryNamesAndDropValues(target: String, logged: String) {
        #expect(RequestTarget.redacted(target.utf8) == logged)
    }

    @Test func longTargetsAreCutInLogs() {
        let target = "/" + String(repeating: "a", count: 100_000)
        #expect(RequestTarget.redacted(target.utf8) == target.prefix(1000))
    }
}

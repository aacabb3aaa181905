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
        #expect(head.query.values("q") == ["1 2", "&"])
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
        #expect(try RequestHead(method: .get, target: "/", remoteAddress: address).isLoopback == isLoopback)
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

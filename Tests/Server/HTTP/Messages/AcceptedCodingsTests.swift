import HearthHTTP
import Testing

struct AcceptedCodingsTests {
    @Test(arguments: [
        ("gzip", true), ("GZip", true), ("x-gzip", true), ("gzip, deflate, br", true),
        ("deflate, gzip;q=1.0, *;q=0.5", true),
        ("*", true), ("br;q=1, gzip ; q=0.001", true), ("gzip;q=0.5, identity;q=0.5", true), ("identity;q=0, *", true),
        ("gzip;q=0, gzip", false), ("", false), ("br", false), ("deflate", false), ("identity", false),
        ("gzip;q=0", false),
        ("gzip;q=0.000", false), ("*;q=0", false), ("*, gzip;q=0", false), ("gzip;q=0.5, identity", false),
        ("gzip;q=x", false), ("gzip;q=nan", false), ("gzip;q=-1", false), ("gzipped", false), (";q=1", false),
        (",;,", false),
    ])
    func gzip(field: String, isAccepted: Bool) throws {
        let head = try RequestHead(method: .get, target: "/", headers: ["Accept-Encoding": field])
        #expect(head.acceptedCodings.gzip == isAccepted)
    }

    @Test(
        "Whether a proxy may compress at all",
        arguments: [
            ("gzip", true), ("br", true), ("*", true), ("identity, zstd;q=0.1", true), ("identity", false),
            ("identity;q=0.5", false),
            ("gzip;q=0", false), ("gzip;q=0, identity", false), ("", false),
        ])
    func anyCoding(field: String, isAccepted: Bool) throws {
        let head = try RequestHead(method: .get, target: "/", headers: ["Accept-Encoding": field])
        #expect(head.acceptedCodings.anyCoding == isAccepted)
    }

    @Test("Whoever says nothing gets no coding; several fields are one list")
    func fields() throws {
        let silent = try RequestHead(method: .get, target: "/").acceptedCodings
        #expect(!silent.gzip && !silent.anyCoding)
        var headers: HTTPHeaders = ["Accept-Encoding": "br"]
        headers.add("accept-encoding", "gzip")
        #expect(try RequestHead(method: .get, target: "/", headers: headers).acceptedCodings.gzip)
    }
}

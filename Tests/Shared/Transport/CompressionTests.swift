import HearthCompression
import HearthTestSupport
import HearthTransport
import Testing

@Suite("Compressed answers") struct CompressionTests {
    private let client = TestClient.make()

    private func server(_ body: [UInt8], coding: String? = "gzip") throws -> RawServer {
        try RawServer { connection in
            let request = connection.readRequest()
            guard request?.header("Accept-Encoding") == "gzip" else {
                return connection.write(TestClient.answer("not asked for"))
            }
            let field = coding.map { "Content-Encoding: \($0)\r\n" } ?? ""
            connection.write("HTTP/1.1 200 OK\r\nETag: etag-1\r\n\(field)Content-Length: \(body.count)\r\n\r\n")
            connection.write(body)
        }
    }

    @Test("Whoever asks for gzip gets the bytes that were compressed; whoever does not, asks for no coding")
    func decompressed() throws {
        let text = Array(String(repeating: "a value ", count: 10_000).utf8)
        let server = try server(Deflate.gzip(text))
        let response = try client.send(TransportRequest(url: server.url(), acceptsGzip: true))
        #expect(response.body == text && response.headers["ETag"] == "etag-1")
        var pieces: [UInt8] = []
        _ = try client.send(
            TransportRequest(url: server.url(), acceptsGzip: true), onHead: nil, onBody: { pieces += $0 })
        #expect(pieces == text)
        #expect(try client.send(TransportRequest(url: server.url())).body == Array("not asked for".utf8))
    }

    @Test("Answers without a coding are taken as they are", arguments: [nil, "identity"])
    func plain(coding: String?) throws {
        let server = try server(Array("plain".utf8), coding: coding)
        #expect(try client.send(TransportRequest(url: server.url(), acceptsGzip: true)).body == Array("plain".utf8))
    }

    @Test("The limit holds for the decompressed bytes, and no more of them are made")
    func bomb() throws {
        // Once more compressed, 100 MB become a few hundred bytes.
        let once = Deflate.gzip([UInt8](repeating: 0, count: 100 << 20))
        for (body, coding) in [(once, "gzip"), (Deflate.gzip(once), "gzip, gzip")] {
            let server = try server(body, coding: coding)
            var taken = 0
            let request = TransportRequest(url: server.url(), maxResponseBytes: 1 << 20, acceptsGzip: true)
            let error = TestClient.error(request, onBody: { taken += $0.count })
            #expect(error?.code == .tooLarge, "\(coding): \(String(describing: error))")
            #expect(taken <= 1 << 20)
        }
    }

    @Test("A damaged answer is an error that says so")
    func damaged() throws {
        var bytes = Deflate.gzip(Array(String(repeating: "text ", count: 1000).utf8))
        for index in 20..<bytes.count { bytes[index] ^= 0x55 }
        let server = try server(bytes)
        let error = TestClient.error(TransportRequest(url: server.url(), acceptsGzip: true))
        #expect(error?.code == .badResponse)
        #expect(error?.message.contains("cannot be decompressed") == true)
    }
}

import HearthTestSupport
import HearthTransport
import Testing

@Suite("Requests that are refused before anything is sent") struct OutgoingRequestTests {
    @Test(
        "Addresses that are not plain http or https",
        arguments: [
            "", "models", "/models", "ftp://a.example/", "file:///etc/passwd", "http://", "http:///x",
            "http://user@a.example/", "http://user:pw@a.example/", "http://a.example/\r\nX-Evil: 1",
            "http://a.example/\0", "http://a.example:99999/", "http://a b/", "http://[::1/", "javascript:1",
        ])
    func addresses(url: String) {
        let error = TestClient.error(TransportRequest(url: url))
        #expect(error?.code == .badURL)
        #expect(error?.isRetryable == false)
    }

    @Test(
        "Headers that could smuggle in lines or confuse lengths",
        arguments: [
            ("X-A", "1\r\nX-Evil: 1"), ("X-A", "1\nX-Evil: 1"), ("X-A", "1\rX-Evil: 1"), ("X-A", "1\0"),
            ("X-A\r\nX-Evil", "1"), ("X A", "1"), ("X-A:", "1"), ("", "1"), ("X-Ä", "1"),
            ("Content-Length", "5"), ("transfer-encoding", "chunked"),
        ])
    func headers(name: String, value: String) throws {
        let server = try RawServer(always: { _ in TestClient.answer("x") })
        let error = TestClient.error(TransportRequest(url: server.url(), headers: [(name, value)]))
        #expect(error?.code == .badRequest)
        #expect(server.connectionCount == 0)
    }

    @Test("Methods that are no words", arguments: ["", "GET /evil HTTP/1.1\r\n", "GE T", "GET\0", "GÉT"])
    func methods(method: String) {
        #expect(TestClient.error(TransportRequest(method: method, url: "http://127.0.0.1/"))?.code == .badRequest)
    }

    @Test("Settings with line breaks", arguments: ["x\r\nX-Evil: 1", "x\0"])
    func settings(text: String) {
        let client = CurlTransport(configuration: .init(proxy: .none, userAgent: text))
        #expect(TestClient.error(TransportRequest(url: "http://127.0.0.1:1/"), by: client)?.code == .badRequest)
    }
}

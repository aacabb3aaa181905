import HearthTransport

/// What the suites share: a client that ignores the proxies of the machine that runs the tests.
enum TestClient {
    static func make(caFile: String? = nil) -> CurlTransport {
        CurlTransport(configuration: .init(caFile: caFile, proxy: .none, userAgent: "hearth-tests"))
    }

    /// An answer with its length.
    static func answer(_ body: String, status: String = "200 OK", headers: String = "") -> String {
        "HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// The error that `send` throws; `nil` when it throws none.
    static func error(
        _ request: TransportRequest, by transport: some Transport = make(),
        onHead: ((TransportResponseHead) throws -> Void)? = nil,
        onBody: ((UnsafeRawBufferPointer) throws -> Void)? = nil
    ) -> TransportError? {
        do {
            _ = try transport.send(request, onHead: onHead, onBody: onBody)
            return nil
        } catch {
            return error
        }
    }
}

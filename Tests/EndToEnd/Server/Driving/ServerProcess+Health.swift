import EndToEndDriving

extension ServerProcess {
    /// Whether it answers its health route.
    func isHealthy() throws -> Bool {
        let reply = try RawConnection(port: port).exchange(
            "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        return reply.hasPrefix("HTTP/1.1 200 ") && reply.hasSuffix("ok\n")
    }
}

import EndToEndDriving
import HearthWire
import Testing

/// An upload that stops half way: the server has the first half of the bytes in quarantine and waits for more.
struct HalfUpload {
    let connection: RawConnection

    /// Returns when the server has written all that was sent.
    init(_ server: ServerProcess, bytes: [UInt8]) throws {
        let key = try server.adminKey()
        let token = try Self.accessToken(key, port: server.port)
        connection = try RawConnection(port: server.port)
        try connection.send(
            """
            POST /hearth/v1/projects/\(key.projectID)/uploads?name=half.tflite HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: Bearer \(token)\r
            Content-Length: \(bytes.count)\r
            \r\n
            """.utf8)
        let half = bytes.count / 2
        try connection.send(bytes.prefix(half))
        let arrived = try Deadline.wait { try server.quarantinedBytes() == half }
        try #require(arrived)
    }

    private static func accessToken(_ key: ServiceAccountKey, port: UInt16) throws -> String {
        let form = "grant_type=client_credentials&client_id=\(key.clientID)&client_secret=\(key.clientSecret)"
        let reply = try RawConnection(port: port).exchange(
            """
            POST /token HTTP/1.1\r
            Host: 127.0.0.1\r
            Connection: close\r
            Content-Type: application/x-www-form-urlencoded\r
            Content-Length: \(form.utf8.count)\r
            \r
            \(form)
            """)
        let body = try #require(reply.firstRange(of: "\r\n\r\n")).upperBound
        return try WireJSON.decode(TokenBodies.Response.self, from: reply[body...].utf8).accessToken
    }
}

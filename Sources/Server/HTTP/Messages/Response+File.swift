extension Response {
    /// Answers `head` with a file: 200 with all of it, 206 with the part asked for, or 416.
    ///
    /// - Parameters:
    ///   - file: kept open until the answer is sent.
    ///   - length: bytes of the representation; it starts at the file's first byte.
    ///   - contentType: its media type.
    ///   - etag: sent as given, and compared with `If-Range`.
    ///   - head: the request (GET or HEAD).
    public static func file(
        _ file: OwnedDescriptor, length: UInt64, contentType: String = "application/octet-stream",
        etag: String? = nil, for head: RequestHead
    ) -> Response {
        var response = Response(status: 200, headers: ["Accept-Ranges": "bytes"])
        response.headers["ETag"] = etag
        switch ByteRange(requestedBy: head, length: length, etag: etag) {
        case .full:
            response.headers["Content-Type"] = contentType
            response.body = .file(file, offset: 0, length: length)
        case .partial(let offset, let count):
            response.status = 206
            response.headers["Content-Type"] = contentType
            response.headers["Content-Range"] = "bytes \(offset)-\(offset + count - 1)/\(length)"
            response.body = .file(file, offset: offset, length: count)
        case .unsatisfiable:
            response.status = 416
            response.headers["Content-Range"] = "bytes */\(length)"
        }
        return response
    }
}

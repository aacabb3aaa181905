internal import CMicroHTTPD
internal import Glibc

/// Owns one reference to an `MHD_Response`: created in `init`, released in `deinit`. Queueing takes a reference of its
/// own.
///
/// `@unchecked Sendable`: nothing changes the response after `init`, and libmicrohttpd counts its references under its
/// own lock, so connections on several threads may send the same response. A response with a stream is sent once, by
/// the connection that made it.
final class EncodedResponse: @unchecked Sendable {
    let handle: OpaquePointer

    /// `nil` if a file cannot be sent as the response says.
    init?(_ response: Response) {
        guard let handle = Self.create(response.body) else { return nil }
        self.handle = handle
        Self.add(response.headers, to: handle)
    }

    /// The response with the stream as its body. Keeps the stream until libmicrohttpd reads no more.
    init?(_ response: Response, streaming body: StreamedBody) {
        let kept = Unmanaged.passRetained(body)
        guard let handle = mhd_streamed_response(readStream, kept.toOpaque(), releaseStream) else {
            kept.release()
            return nil
        }
        self.handle = handle
        Self.add(response.headers, to: handle)
    }

    deinit { MHD_destroy_response(handle) }

    /// Browsers must treat an answer as its `Content-Type` says: an uploaded text must not become a page.
    static let constantField: (name: StaticString, value: StaticString) = ("X-Content-Type-Options", "nosniff")

    private static func add(_ headers: HTTPHeaders, to handle: OpaquePointer) {
        let (name, value) = constantField
        name.withUTF8Buffer { name in
            value.withUTF8Buffer { value in
                _ = MHD_add_response_header(handle, cString(name), cString(value))
            }
        }
        headers.forEachCString { name, value in
            if !isServerOwned(name), value.pointee != 0 { _ = MHD_add_response_header(handle, name, value) }
        }
    }

    /// Static strings end with a zero.
    private static func cString(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
        UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
    }

    private static func create(_ body: ResponseBody) -> OpaquePointer? {
        switch body {
        case .empty:
            return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        case .bytes(let bytes):
            // Copied, because the array's memory is valid during the call only.
            return bytes.withUnsafeBytes {
                MHD_create_response_from_buffer(
                    $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .file(let file, let offset, let length):
            // If too few bytes were sent, the connection would hang until its idle timeout.
            let (end, overflow) = offset.addingReportingOverflow(length)
            guard !overflow, let size = file.regularFileLength, end <= size else { return nil }
            let descriptor = file.duplicate()
            guard descriptor >= 0 else { return nil }
            guard let handle = MHD_create_response_from_fd_at_offset64(length, descriptor, offset) else {
                close(descriptor)
                return nil
            }
            return handle
        }
    }

    /// Whether the server itself makes the field.
    static func isServerOwned(_ name: UnsafePointer<CChar>) -> Bool {
        strcasecmp(name, "content-length") == 0 || strcasecmp(name, "transfer-encoding") == 0
            || strcasecmp(name, "keep-alive") == 0 || strcasecmp(name, "upgrade") == 0
    }
}

/// An answer as bytes, for the one case in which libmicrohttpd takes no answer: while a body arrives.
enum ResponseBytes {
    /// Status line, fields, `Connection: close`, and the body if it is in memory.
    static func encode(_ response: Response, isHead: Bool) -> [UInt8] {
        let reason = MHD_get_reason_phrase_for(UInt32(response.status)).map { String(cString: $0) } ?? ""
        var text = "HTTP/1.1 \(response.status) \(reason)\r\n"
        for field in response.headers where !EncodedResponse.isServerOwned(field.name) {
            if field.name.lowercased() != "connection" { text += "\(field.name): \(field.value)\r\n" }
        }
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        let constant = EncodedResponse.constantField
        text += "\(constant.name): \(constant.value)\r\n"
        text += "Connection: close\r\nContent-Length: \(body.count)\r\n\r\n"
        return Array(text.utf8) + (isHead ? [] : body)
    }
}

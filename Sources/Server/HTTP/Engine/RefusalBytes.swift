internal import CMicroHTTPD

/// An answer as bytes for the wire, for the one case where libmicrohttpd takes none: while a body arrives.
enum RefusalBytes {
    /// Status line, fields, `Connection: close`, and the body where it is in memory.
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

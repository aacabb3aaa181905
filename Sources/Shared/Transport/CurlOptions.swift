import CCurl

extension CurlTransport.Configuration {
    func apply(to handle: CurlHandle) throws(TransportError) {
        // Signals would be process-wide; without them curl times out name look-ups by a thread.
        try handle.set(CURLOPT_NOSIGNAL, 1)
        try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        // One request at a time gains nothing from HTTP/2, and 1.1 has the simpler ends of a body.
        try handle.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        try handle.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        try handle.set(CURLOPT_USERAGENT, userAgent)
        if let caFile {
            try handle.set(CURLOPT_CAINFO, caFile)
            // Otherwise the system's folder of certificates would be trusted beside the file.
            try handle.set(CURLOPT_CAPATH, nil)
        }
        switch proxy {
        case .environment: break
        case .none: try handle.set(CURLOPT_PROXY, "")
        case .url(let url): try handle.set(CURLOPT_PROXY, url)
        }
    }
}

extension TransportLimits {
    func apply(to handle: CurlHandle, host: String) throws(TransportError) {
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, connectTimeoutMilliseconds)
        if let total = try remainingMilliseconds(now: .now, host: host) {
            try handle.set(CURLOPT_TIMEOUT_MS, total)
        }
    }
}

extension OutgoingRequest {
    /// - Parameters:
    ///   - headers: must live until the transfer has ended.
    ///   - bodyBytes: the length of the body; `nil` without one.
    func apply(to handle: CurlHandle, headers: CurlHeaderList, bodyBytes: UInt64?) throws(TransportError) {
        try handle.set(CURLOPT_URL, url.text)
        try handle.check(hearth_set_headers(handle.pointer, headers.pointer))
        if let bodyBytes {
            try handle.set(CURLOPT_UPLOAD, 1)
            try handle.set(CURLOPT_INFILESIZE_LARGE, offset: bodyBytes)
        } else if method == "HEAD" {
            try handle.set(CURLOPT_NOBODY, 1)
        }
        try handle.set(CURLOPT_CUSTOMREQUEST, method)
        if method == "POST" || method == "PATCH" {
            try handle.set(CURLOPT_FRESH_CONNECT, 1)
        }
    }
}

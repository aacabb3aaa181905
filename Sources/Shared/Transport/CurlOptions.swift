import CCurl

extension CurlTransport.Configuration {
    func apply(to handle: CurlHandle) throws(TransportError) {
        // Signals would affect the whole process; without them, curl uses a thread for the timeout of name look-ups.
        try handle.set(CURLOPT_NOSIGNAL, 1)
        try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        // A single request gains nothing from HTTP/2, and a body's end is simpler in HTTP/1.1.
        try handle.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        try handle.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        try handle.set(CURLOPT_USERAGENT, userAgent)
        if let caFile {
            try handle.set(CURLOPT_CAINFO, caFile)
            // Otherwise curl would trust the system's certificates in addition to the file.
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
    /// Sets the options of the request.
    ///
    /// - Parameters:
    ///   - headers: Must exist until the transfer has ended.
    ///   - bodyBytes: The length of the body; nil without one.
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

/// Owns one `curl_slist` of header lines: grown by `append`, freed once in `deinit`.
final class CurlHeaderList {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    /// Longer bodies are announced first (`Expect: 100-continue`), so that they are not sent in vain. For shorter
    /// bodies this would cost a round trip, and a second with servers that do not know it.
    static let expectThresholdBytes: UInt64 = 1 << 20

    /// Makes the list.
    ///
    /// - Parameter headers: Checked by `OutgoingRequest`.
    init(_ headers: [(String, String)], bodyBytes: UInt64?) throws(TransportError) {
        if let bodyBytes, bodyBytes < Self.expectThresholdBytes {
            // A name without a value makes curl omit the header that it would add.
            try append("Expect:")
        }
        for (name, value) in headers {
            // "Name:" would make curl omit the header; "Name;" sends it empty.
            try append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
    }

    private func append(_ line: String) throws(TransportError) {
        guard let longer = curl_slist_append(pointer, line) else {
            throw TransportError(.other, "there is no memory left for the request headers")
        }
        pointer = longer
    }

    deinit {
        curl_slist_free_all(pointer)
    }
}

import CCurl

/// Owns one `curl_slist` of header lines: grown by `append`, freed once in `deinit`.
final class CurlHeaderList {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    /// Bodies from this length on ask for permission first (`Expect: 100-continue`), so that a refusal saves sending
    /// them. Below, the question costs a round trip, and a second with servers that do not know it.
    static let expectThresholdBytes: UInt64 = 1 << 20

    /// - Parameter headers: checked by `OutgoingRequest`.
    init(_ headers: [(String, String)], bodyBytes: UInt64?) throws(TransportError) {
        if let bodyBytes, bodyBytes < Self.expectThresholdBytes {
            // Without a value, curl leaves out the header that it would add.
            try append("Expect:")
        }
        for (name, value) in headers {
            // "Name:" would make curl leave the header out; "Name;" sends it empty.
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

import CCurl

/// Owns one `curl_slist` of header lines: grown by `append`, freed once in `deinit`.
final class CurlHeaderList {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    /// - Parameter headers: checked by `OutgoingRequest`.
    init(_ headers: [(String, String)]) throws(TransportError) {
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

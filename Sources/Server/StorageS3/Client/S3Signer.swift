import Glibc
package import HearthCrypto
import HearthWire

/// Signs requests with version 4 of Amazon's signatures (`AWS4-HMAC-SHA256`). Pure; use it from any thread.
package struct S3Signer: Sendable {
    private let credentials: S3Credentials
    private let region: String
    private let firstKey: HMACSHA256

    /// The request's parts that are signed, as they go over the wire.
    package struct Request {
        package var method: String
        /// Host, with its port unless that is the scheme's own.
        package var host: String
        /// Percent-encoded, and begins with `/`.
        package var path: String
        /// Decoded names and values, in any order.
        package var query: [(String, String)]
        package var headers: [(String, String)]

        package init(
            method: String, host: String, path: String, query: [(String, String)] = [],
            headers: [(String, String)] = []
        ) {
            (self.method, self.host, self.path, self.query, self.headers) = (method, host, path, query, headers)
        }
    }

    package init(credentials: S3Credentials, region: String) {
        self.credentials = credentials
        self.region = region
        firstKey = HMACSHA256(key: Array("AWS4\(credentials.secretKey)".utf8))
    }

    /// The headers to send: those of the request, and those that the signature adds.
    ///
    /// - Parameters:
    ///   - payload: SHA-256 of the body.
    ///   - seconds: the time, since 1970. Stores refuse a time that differs from theirs by more than 15 minutes.
    package func headers(for request: Request, payload: SHA256Digest, atSeconds seconds: Int64) -> [(String, String)] {
        let time = Self.time(seconds)
        var headers = request.headers + [("x-amz-content-sha256", payload.hex), ("x-amz-date", time)]
        if let token = credentials.sessionToken { headers.append(("x-amz-security-token", token)) }
        var signed = request
        signed.headers = headers
        let canonical = Self.canonical(signed, payload: payload.hex)
        let signature = signature(of: canonical.text, time: time)
        let authorization =
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope(time)),"
            + "SignedHeaders=\(canonical.signedHeaders),Signature=\(signature)"
        return headers + [("Authorization", authorization)]
    }

    /// The query of a link that anybody may follow until it expires. The request must have no headers.
    ///
    /// - Parameter lifetimeSeconds: 1 to 604,800, a week.
    package func presignedQuery(for request: Request, atSeconds seconds: Int64, lifetimeSeconds: Int) -> String {
        let time = Self.time(seconds)
        var signed = request
        signed.query += [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", "\(credentials.accessKey)/\(scope(time))"),
            ("X-Amz-Date", time), ("X-Amz-Expires", String(lifetimeSeconds)), ("X-Amz-SignedHeaders", "host"),
        ]
        if let token = credentials.sessionToken { signed.query.append(("X-Amz-Security-Token", token)) }
        let canonical = Self.canonical(signed, payload: "UNSIGNED-PAYLOAD")
        return Self.query(signed.query) + "&X-Amz-Signature=\(signature(of: canonical.text, time: time))"
    }

    private static func canonical(_ request: Request, payload: String) -> (text: String, signedHeaders: String) {
        let headers = (request.headers + [("host", request.host)])
            .map { (name: $0.0.lowercased(), value: collapsed($0.1)) }.sorted { $0.name < $1.name }
        let names = headers.map(\.name).joined(separator: ";")
        let lines =
            [request.method, request.path, Self.query(request.query)]
            + headers.map { "\($0.name):\($0.value)" } + ["", names, payload]
        return (lines.joined(separator: "\n"), names)
    }

    /// A query in the order that signatures need: sorted by encoded name, then by encoded value.
    static func query(_ items: [(String, String)]) -> String {
        items.map { (PercentEncoding.encode($0.0), PercentEncoding.encode($0.1)) }
            .sorted { $0.0 == $1.0 ? $0.1 < $1.1 : Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    /// Without spaces at the ends, and with single ones between words.
    private static func collapsed(_ value: String) -> String {
        value.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }

    private func scope(_ time: String) -> String { "\(time.prefix(8))/\(region)/s3/aws4_request" }

    private func signature(of canonical: String, time: String) -> String {
        let hash = SHA256Hasher.hash(canonical.utf8).hex
        let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope(time))\n\(hash)"
        var key = firstKey
        for part in [String(time.prefix(8)), region, "s3", "aws4_request"] {
            key = HMACSHA256(key: key.tag(for: Array(part.utf8)))
        }
        return Hex.encode(key.tag(for: Array(text.utf8)))
    }

    /// `20130524T000000Z`.
    static func time(_ seconds: Int64) -> String {
        var (seconds, parts) = (time_t(seconds), tm())
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int32, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return padded(parts.tm_year + 1900, 4) + padded(parts.tm_mon + 1, 2) + padded(parts.tm_mday, 2) + "T"
            + padded(parts.tm_hour, 2) + padded(parts.tm_min, 2) + padded(parts.tm_sec, 2) + "Z"
    }
}

import Foundation
package import HearthCrypto
package import HearthStorage
package import HearthTransport
import HearthWire

/// One request to a store, which can be sent again.
package struct S3Call {
    package enum Body {
        case none
        case bytes([UInt8])
        /// A part of a file, with the hash of exactly these bytes. The store refuses others.
        case file(path: String, offset: UInt64, length: UInt64, sha256: SHA256Digest)
    }

    package var method: String
    /// Nil for a request about the bucket.
    package var key: String?
    package var query: [(String, String)] = []
    package var headers: [(String, String)] = []
    package var body = Body.none
    /// Whether the store may begin a successful answer before it knows whether it succeeds.
    package var mayFailLate = false

    package init(_ method: String, _ key: String?) { (self.method, self.key) = (method, key) }
}

/// The objects of one bucket of an S3-compatible store.
///
/// Calls block; any number of threads may call at once. What may succeed a moment later is tried again, which is harmless,
/// because every request has the same effect once and twice.
package struct S3Client: Sendable {
    package let configuration: S3Configuration
    private let signer: S3Signer
    private let transport: any Transport
    let now: @Sendable () -> Int64
    private let pause: @Sendable (Double) -> Void
    let counters = S3Counters()
    private(set) var contact = S3Contact()

    /// - Parameters:
    ///   - transport: nil for libcurl, with the certificates of the configuration and this proxy.
    ///   - now: seconds since 1970.
    ///   - pause: waits for this many seconds between two tries.
    package init(
        _ configuration: S3Configuration, credentials: S3Credentials, transport: (any Transport)? = nil,
        proxy: CurlTransport.Proxy = .environment,
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) },
        pause: @escaping @Sendable (Double) -> Void = { Thread.sleep(forTimeInterval: $0) }
    ) {
        self.configuration = configuration
        signer = S3Signer(credentials: credentials, region: configuration.region)
        self.transport = transport ?? CurlTransport(configuration: .init(caFile: configuration.caFile, proxy: proxy))
        self.now = now
        self.pause = pause
    }

    /// A client of this store for calls that do not rely on what others have found out about it.
    package func withOwnContact() -> S3Client {
        var client = self
        client.contact = S3Contact()
        return client
    }

    /// Sends the request until it succeeds, cannot succeed, or has been tried often enough.
    package func send(_ call: S3Call) throws(StorageError) -> TransportResponse {
        try retrying { _ throws(S3Failure) in try sendOnce(call) }
    }

    /// Runs `body` until it succeeds, cannot succeed, or has been tried often enough.
    func retrying<Result>(
        _ body: (inout RetryDelays) throws(S3Failure) -> Result
    ) throws(StorageError) -> Result {
        var delays = RetryDelays(attempts: configuration.attempts)
        var isRetry = false
        while true {
            // Between two tries as well.
            try contact.check(configuration)
            counters.countRequest(isRetry: isRetry)
            do {
                return try body(&delays)
            } catch {
                guard let seconds = delays.next(after: error, random: .random(in: 0...1)) else {
                    counters.countFailure(error.error)
                    throw error.error
                }
                pause(seconds)
                isRetry = true
            }
        }
    }

    /// - Parameter timeoutSeconds: in place of the configuration's.
    func sendOnce(_ call: S3Call, timeoutSeconds: Double? = nil) throws(S3Failure) -> TransportResponse {
        let request = request(
            call, maxResponseBytes: UInt64(XMLElement.limitBytes), timeoutSeconds: timeoutSeconds)
        let response: TransportResponse
        do { response = try transport.send(request) } catch { throw S3Failure(error, configuration) }
        let failsLate = call.mayFailLate && S3Failure.storeCode(in: response.body) != nil
        guard (200...299).contains(response.status), !failsLate else {
            throw failure(response.status, response.headers, response.body)
        }
        return response
    }

    /// Sends a request for an object's bytes once, and passes them on. Other answers are errors.
    ///
    /// - Parameter isUrgent: whether it gives up soon, because somebody waits who may come again.
    func receiveOnce(
        _ call: S3Call, isUrgent: Bool, onHead: (TransportResponseHead) throws -> Void,
        onBody: (UnsafeRawBufferPointer) throws -> Void
    ) throws(S3Failure) -> TransportResponse {
        var request = request(call, maxResponseBytes: .max)
        if isUrgent {
            request.connectTimeoutSeconds = min(Self.urgentConnectSeconds, configuration.timeoutSeconds)
            request.stallTimeoutSeconds = min(Self.urgentStallSeconds, configuration.timeoutSeconds)
        }
        var (isObject, refusal) = (false, [UInt8]())
        let response: TransportResponse
        do {
            // The transport calls both closures during `send` only.
            response = try withoutActuallyEscaping(onHead) { onHead in
                try withoutActuallyEscaping(onBody) { onBody in
                    try transport.send(
                        request,
                        onHead: { head in
                            isObject = head.status == 200 || head.status == 206
                            if isObject { try onHead(head) }
                        },
                        onBody: { bytes in
                            if isObject { return try onBody(bytes) }
                            if refusal.count < Self.refusalLimit { refusal += bytes.prefix(Self.refusalLimit) }
                        })
                }
            }
        } catch let error as TransportError {
            throw S3Failure(error, configuration)
        } catch {
            throw S3Failure(.aborted(configuration.endpoint, cause: error), configuration)
        }
        guard isObject else { throw failure(response.status, response.headers, refusal) }
        return response
    }

    private static let urgentConnectSeconds = 2.0
    static let urgentStallSeconds = 5.0
    private static let refusalLimit = 64 << 10

    private func failure(_ status: Int, _ headers: TransportHeaders, _ body: [UInt8]) -> S3Failure {
        S3Failure(status: status, headers: headers, body: body, configuration, nowSeconds: now())
    }

    /// Signed for this moment, so that each try has a valid time.
    private func request(
        _ call: S3Call, maxResponseBytes: UInt64, timeoutSeconds: Double? = nil
    ) -> TransportRequest {
        let timeoutSeconds = timeoutSeconds ?? configuration.timeoutSeconds
        let (payload, body) = Self.payload(call.body)
        let target = target(method: call.method, key: call.key, query: call.query, headers: call.headers)
        let query = S3Signer.query(call.query)
        return TransportRequest(
            method: call.method, url: url(target) + (query.isEmpty ? "" : "?\(query)"),
            headers: signer.headers(for: target, payload: payload, atSeconds: now()), body: body,
            connectTimeoutSeconds: timeoutSeconds, stallTimeoutSeconds: timeoutSeconds,
            maxResponseBytes: maxResponseBytes)
    }

    private static func payload(_ body: S3Call.Body) -> (SHA256Digest, TransportRequest.Body) {
        switch body {
        case .none: (SHA256Hasher.hash([]), .none)
        case .bytes(let bytes): (SHA256Hasher.hash(bytes), .bytes(bytes))
        case .file(let path, let offset, let length, let sha256):
            (sha256, .file(path: path, offset: offset, length: length))
        }
    }

    private func target(
        method: String, key: String?, query: [(String, String)] = [], headers: [(String, String)] = []
    ) -> S3Signer.Request {
        let object = key.map { PercentEncoding.encode($0, keepsSlashes: true) } ?? ""
        let host = configuration.endpoint.split(separator: "/").last.map(String.init) ?? ""
        return switch configuration.addressing {
        case .path:
            S3Signer.Request(
                method: method, host: host, path: "/\(configuration.bucket)" + (key == nil ? "" : "/\(object)"),
                query: query, headers: headers)
        case .host:
            S3Signer.Request(
                method: method, host: "\(configuration.bucket).\(host)", path: "/\(object)", query: query,
                headers: headers)
        }
    }

    private func url(_ target: S3Signer.Request) -> String {
        let scheme = configuration.endpoint.hasPrefix("http:") ? "http" : "https"
        return "\(scheme)://\(target.host)\(target.path)"
    }

    /// A link with which anybody may read the object for a while, without keys.
    ///
    /// - Parameter seconds: 1 to 604,800, a week.
    package func presignedURL(_ name: String, seconds: Int) throws(StorageError) -> String {
        guard (1...604_800).contains(seconds) else {
            throw StorageError(.io, "A download link is valid for 1 to 604800 seconds, not \(seconds).")
        }
        let target = target(method: "GET", key: configuration.key(name))
        let query = signer.presignedQuery(for: target, atSeconds: now(), lifetimeSeconds: seconds)
        return "\(url(target))?\(query)"
    }
}

import Foundation
import HearthCrypto
import HearthTransport
import HearthWire
import Synchronization

/// A model server in memory: models, hashes, links that expire, and accidents on request.
///
/// It keeps the promises of `Transport` that the device side relies on: limits, redirects, aborts. Use it from any thread.
final class ModelHostSimulator: Transport {
    /// The three kinds of request that a device makes.
    enum Kind: Sendable {
        case installation
        case info
        case file
    }

    struct Answer: Sendable {
        var status = 200
        var headers: [(String, String)] = []
        var body: [UInt8] = []
        /// The body is repeated without end.
        var isEndless = false
        /// The connection breaks after so many bytes.
        var breaksAfter: Int?
    }

    /// Changes an answer, or throws instead of it. Called on the sending thread: it may wait.
    typealias Accident = @Sendable (TransportRequest, inout Answer) throws(TransportError) -> Void

    private struct State {
        var models: [String: [UInt8]] = [:]
        var requests: [(kind: Kind, request: TransportRequest)] = []
        var accidents: [(kind: Kind, accident: Accident)] = []
        var linkLifetime: Int64 = 3600
    }

    static let url = "https://models.example.com"
    static let linkHost = "https://files.example.net"

    private let state = Mutex(State())
    private let now: @Sendable () -> Timestamp

    init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    // MARK: For tests

    func publish(_ bytes: [UInt8], as name: String) { state.withLock { $0.models[name] = bytes } }
    func withdraw(_ name: String) { state.withLock { $0.models[name] = nil } }
    func setLinkLifetime(_ seconds: Int64) { state.withLock { $0.linkLifetime = seconds } }

    /// From now on; accidents add up, in order.
    func on(_ kind: Kind, _ accident: @escaping Accident) {
        state.withLock { $0.accidents.append((kind, accident)) }
    }

    func endAccidents() { state.withLock { $0.accidents = [] } }

    func goOffline() {
        for kind in [Kind.installation, .info, .file] {
            on(kind) { _, _ throws(TransportError) in
                throw TransportError(.couldNotConnect, "models.example.com does not answer")
            }
        }
    }

    func requests(_ kind: Kind) -> [TransportRequest] {
        state.withLock { $0.requests.filter { $0.kind == kind }.map(\.request) }
    }

    // MARK: Transport

    func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        var request = request
        for _ in 0...3 {
            let answer = try answer(request)
            let head = TransportResponseHead(status: answer.status, headers: TransportHeaders(answer.headers))
            guard (301...308).contains(head.status), let target = head.headers["location"] else {
                return try deliver(answer, head, request, onHead, onBody)
            }
            guard request.redirects != .refuse else {
                throw TransportError(
                    .redirectRefused, "models.example.com redirects elsewhere, which is not allowed here")
            }
            guard target.hasPrefix("https") || !request.url.hasPrefix("https") else {
                throw TransportError(.redirectRefused, "files.example.net redirects from https to plain http")
            }
            request.url = target
        }
        throw TransportError(.redirectRefused, "files.example.net redirects more than 3 times")
    }

    private func answer(_ request: TransportRequest) throws(TransportError) -> Answer {
        let kind = Self.kind(request)
        let accidents = state.withLock { state in
            state.requests.append((kind, request))
            return state.accidents.filter { $0.kind == kind }.map(\.accident)
        }
        var answer =
            switch kind {
            case .installation: Self.installation(request)
            case .info: info(request)
            case .file: file(request)
            }
        for accident in accidents { try accident(request, &answer) }
        return answer
    }

    private static func kind(_ request: TransportRequest) -> Kind {
        if request.url.contains("/installations") { return .installation }
        return request.url.hasSuffix(":download") ? .info : .file
    }

    private static func installation(_ request: TransportRequest) -> Answer {
        let id = "c" + String(repeating: "A", count: 21)
        let token = #"{"token":"device-token","expiresIn":"604800s"}"#
        let text = #"{"name":"n","fid":"\#(id)","refreshToken":"refresh-token","authToken":\#(token)}"#
        return Answer(body: Array((request.url.hasSuffix(":generate") ? token : text).utf8))
    }

    private func info(_ request: TransportRequest) -> Answer {
        let segment = request.url.dropLast(":download".count).split(separator: "/").last ?? ""
        let name = String(segment).removingPercentEncoding ?? ""
        return state.withLock { state in
            guard let bytes = state.models[name] else { return .error(.notFound, "there is no model '\(name)'") }
            let hash = SHA256Hasher.hash(bytes).hex
            let headers = [("ETag", hash), ("x-hearth-model-version", "1")]
            guard request.header("if-none-match") != hash else { return Answer(status: 304, headers: headers) }
            let expires = now().adding(seconds: state.linkLifetime)
            let info = DownloadInfo(
                downloadUri: "\(Self.linkHost)/\(hash)?expires=\(expires.seconds)",
                expireTime: expires.rfc3339(fractionDigits: 3), sizeBytes: String(bytes.count))
            return Answer(headers: headers, body: (try? WireJSON.encode(info)) ?? [])
        }
    }

    private func file(_ request: TransportRequest) -> Answer {
        let parts = request.url.dropFirst(Self.linkHost.count + 1).split(separator: "?")
        guard parts.count == 2, let expires = Int64(parts[1].dropFirst("expires=".count)), expires > now().seconds
        else { return .error(.invalidArgument, "the link has expired") }
        return state.withLock { state in
            guard let bytes = state.models.values.first(where: { SHA256Hasher.hash($0).hex == parts[0] }) else {
                return .error(.notFound, "there is no such file")
            }
            return Answer(headers: [("Content-Length", String(bytes.count))], body: bytes)
        }
    }

    private func deliver(
        _ answer: Answer, _ head: TransportResponseHead, _ request: TransportRequest, _ onHead: HeadHandler?,
        _ onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        try Self.call { try onHead?(head) }
        var received = 0
        var kept: [UInt8] = []
        repeat {
            for start in stride(from: 0, to: answer.body.count, by: 1000) {
                let piece = Array(answer.body[start..<min(start + 1000, answer.body.count)])
                if let limit = answer.breaksAfter, received + piece.count > limit {
                    throw TransportError(.interrupted, "the connection to files.example.net broke")
                }
                received += piece.count
                guard received <= request.maxResponseBytes else {
                    throw TransportError(.tooLarge, "files.example.net sent an answer longer than the limit")
                }
                guard let onBody else {
                    kept += piece
                    continue
                }
                try Self.call { try piece.withUnsafeBytes { try onBody($0) } }
            }
        } while answer.isEndless
        return TransportResponse(status: head.status, headers: head.headers, body: kept)
    }

    private static func call(_ body: () throws -> Void) throws(TransportError) {
        do {
            try body()
        } catch {
            throw TransportError(.aborted, "the receiver stopped the transfer", cause: error)
        }
    }
}

extension ModelHostSimulator.Answer {
    static func error(_ status: CanonicalStatus, _ message: String) -> Self {
        Self(status: status.httpStatus, body: (try? WireJSON.encode(ErrorEnvelope(status, message))) ?? [])
    }

    mutating func setHeader(_ name: String, _ value: String?) {
        headers.removeAll { $0.0.lowercased() == name.lowercased() }
        if let value { headers.append((name, value)) }
    }

    /// Replaces a field of the JSON body.
    mutating func setField(_ name: String, _ value: Any?) {
        var fields = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
        fields[name] = value
        body = Array((try? JSONSerialization.data(withJSONObject: fields)) ?? Data())
    }
}

extension TransportRequest {
    func header(_ name: String) -> String? { headers.first { $0.0.lowercased() == name.lowercased() }?.1 }
}

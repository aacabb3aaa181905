import Dispatch
import HearthConcurrency
import HearthHTTP
import HearthRouting
import HearthTransport
import Synchronization

/// Sends calls of devices on to the main server: those that change what it counts. No thread of the HTTP server waits.
final class DeviceForwarder: Sendable {
    private let url: String
    private let transport: any Transport
    private let status: MirrorStatus
    private let cancellation: Cancellation
    private let queues = (0..<8).map { DispatchQueue(label: "app.hearth.forwarding-\($0)") }
    private let turn = Atomic(0)
    private let waiting = Atomic(0)

    /// The most calls that wait with their bodies in memory.
    private static let most = 256
    private static let answerBytes: UInt64 = 1 << 20

    init(_ url: String, _ transport: any Transport, _ status: MirrorStatus, _ cancellation: Cancellation) {
        self.url = url
        self.transport = transport
        self.status = status
        self.cancellation = cancellation
    }

    /// - Parameters:
    ///   - prepare: runs before the call is sent. If it throws, the call is not sent.
    ///   - then: gets the main server's answer before the device does.
    func plan(
        for head: RequestHead, limitBytes: Int, prepare: @escaping @Sendable () throws -> Void = {},
        then: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> RequestPlan {
        guard status.isReachable else { return .answer(unavailable()) }
        return .buffered(limitBytes: limitBytes) { [self] head, bytes in
            guard waiting.add(1, ordering: .relaxed).newValue <= Self.most else {
                waiting.subtract(1, ordering: .relaxed)
                return .respond(unavailable())
            }
            return .deferred { [self] reply in
                let queue = queues[turn.wrappingAdd(1, ordering: .relaxed).oldValue & 7]
                queue.async { [self] in
                    defer { waiting.subtract(1, ordering: .relaxed) }
                    // It may have gone while the call waited.
                    guard status.isReachable else {
                        reply.resolve(with: unavailable())
                        return
                    }
                    do {
                        try prepare()
                    } catch {
                        reply.resolve(with: unavailable())
                        return
                    }
                    let response = forward(head, bytes)
                    then(response.status)
                    reply.resolve(with: response)
                }
            }
        }
    }

    /// For a call that needs the main server. Clients keep what they have and try again.
    func unavailable() -> Response {
        status.countNotForwarded()
        var response = HTTPFault.envelope(
            HTTPFault(status: 503, message: "The main server cannot be reached; try again later."))
        // Not all at once.
        response.headers["Retry-After"] = "\(Int.random(in: 30...90))"
        return response
    }

    private func forward(_ head: RequestHead, _ bytes: [UInt8]) -> Response {
        var request = TransportRequest(method: head.method.rawValue, url: url + head.targetText)
        request.headers = head.headers.filter { !Self.ownFields.contains($0.name.lowercased()) }.map {
            ($0.name, $0.value)
        }
        if !bytes.isEmpty { request.body = .bytes(bytes) }
        request.connectTimeoutSeconds = 5
        request.totalTimeoutSeconds = 30
        request.maxResponseBytes = Self.answerBytes
        request.cancellation = cancellation
        do throws(TransportError) {
            let answer = try transport.send(request)
            status.countForwarded()
            var response = Response(status: answer.status, body: .bytes(answer.body))
            for name in ["Content-Type", "Retry-After", "Cache-Control"] {
                response.headers[name] = answer.headers[name]
            }
            return response
        } catch {
            // The next calls need not wait too. Any other failure may be that of this call only.
            if error.code == .couldNotConnect || error.code == .couldNotResolve { status.lost() }
            return unavailable()
        }
    }

    /// Fields about the connection and its proxies.
    private static let ownFields: Set<String> = [
        "host", "connection", "content-length", "transfer-encoding", "expect", "te", "trailer", "upgrade", "keep-alive",
        "proxy-authorization", "proxy-connection", "accept-encoding", "via", "forwarded", "x-forwarded-for",
        "x-forwarded-host", "x-forwarded-proto", "x-real-ip",
    ]
}

import HearthConcurrency
import HearthTransport

/// The connection of one request to the host: its limits, its redirects, and how the answer arrives.
///
/// It keeps the contract of `Transport` on which the device's modules rely.
struct HostConnection {
    /// The most bytes of one piece of a body.
    private static let pieceBytes = 4096

    /// The request as the device made it, with its limits.
    private let request: TransportRequest
    /// As it is sent now, after redirects.
    private var hop: OutgoingRequest
    private let clock: FakeClock
    private let start: Double
    private var redirectCount = 0

    /// - Throws: What real transports throw for a request that cannot be sent.
    init(_ request: TransportRequest, clock: FakeClock) throws(TransportError) {
        (self.request, self.clock) = (request, clock)
        hop = try OutgoingRequest(request)
        start = clock.uptime()
    }

    /// The request as it is sent now.
    var current: TransportRequest {
        var current = request
        (current.method, current.url, current.headers, current.body) = (hop.method, hop.url.text, hop.headers, hop.body)
        return current
    }

    private var host: String { hop.url.host }

    func checkCancellation() throws(TransportError) {
        guard request.cancellation?.isCancelled == true else { return }
        throw .cancelled(host)
    }

    /// The error of a request without an answer. The time until the device notices passes on the clock.
    func failure(_ code: TransportError.Code) -> TransportError {
        if code == .timedOut {
            let remaining = request.totalTimeoutSeconds.map { max(0, start + $0 - clock.uptime()) } ?? .infinity
            clock.advance(bySeconds: min(request.connectTimeoutSeconds, remaining))
        }
        return error(code)
    }

    private func error(_ code: TransportError.Code) -> TransportError {
        switch code {
        case .couldNotResolve: .couldNotResolve(host)
        case .couldNotConnect: .couldNotConnect(host)
        case .tls: .notSecure(host, "the certificate is not trusted")
        case .timedOut: .timedOut(host)
        case .stalled: .stalled(host)
        case .interrupted: .interrupted(host)
        case .tooLarge: .tooLarge(host, limitBytes: request.maxResponseBytes)
        default: TransportError(code, "the transfer with \(host) failed")
        }
    }

    /// Lets time pass on the clock, up to the limit of the request.
    private func forward(seconds: Double) throws(TransportError) {
        guard let total = request.totalTimeoutSeconds, clock.uptime() + seconds - start >= total else {
            clock.advance(bySeconds: seconds)
            return
        }
        clock.advance(bySeconds: max(0, start + total - clock.uptime()))
        throw error(.timedOut)
    }

    /// Goes on to where a redirect leads, by the rules of real transports.
    mutating func follow(_ head: TransportResponseHead) throws(TransportError) {
        hop = try RedirectRule(policy: request.redirects).next(after: hop, head: head, followed: redirectCount)
        redirectCount += 1
    }

    // MARK: The body

    /// Delivers the answer to the device, with the faults of its body.
    func deliver(
        _ answer: HostAnswer, barrier: RequestBarrier?, onHead: HostTransport.HeadHandler?,
        onBody: HostTransport.BodyHandler?,
        counting count: (Int) -> Void
    ) throws(TransportError) -> TransportResponse {
        let head = answer.head
        try callOut { try onHead?(head) }
        if let announced = head.headers["content-length"].flatMap({ UInt64($0) }), announced > request.maxResponseBytes
        {
            throw error(.tooLarge)
        }
        var body = BodyStream(
            answer, held: barrier.flatMap { $0.afterBytes > 0 ? $0.afterBytes : nil }, pieceBytes: Self.pieceBytes)
        var kept: [UInt8] = []
        while true {
            try checkCancellation()
            switch body.next() {
            case .piece(let piece):
                try forward(pieceOf: piece.count, answer)
                guard UInt64(body.sent) <= request.maxResponseBytes else { throw error(.tooLarge) }
                count(piece.count)
                if let onBody {
                    try callOut { try piece.withUnsafeBytes { try onBody($0) } }
                } else {
                    kept += piece
                }
            case .hold:
                barrier?.forward(request.cancellation)
            case .disconnect:
                throw error(.interrupted)
            case .stall:
                try forward(seconds: request.stallTimeoutSeconds ?? request.totalTimeoutSeconds ?? 0)
                throw error(.stalled)
            case .end:
                return TransportResponse(status: head.status, headers: head.headers, body: kept)
            }
        }
    }

    /// Lets the time of a piece of the body pass: by the rate of the answer, or by the device's own limit.
    private func forward(pieceOf bytes: Int, _ answer: HostAnswer) throws(TransportError) {
        guard let rate = [answer.bytesPerSecond, request.maxBytesPerSecond].compactMap({ $0 }).min() else { return }
        try forward(seconds: Double(bytes) / Double(max(1, rate)))
    }

    private func callOut(_ body: () throws -> Void) throws(TransportError) {
        do {
            try body()
        } catch {
            throw .aborted(host, cause: error)
        }
    }
}

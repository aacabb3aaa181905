import Foundation
import HearthConcurrency
import HearthTransport

/// The way of one request to the host: its limits, its redirects, and how the answer arrives.
///
/// It keeps the promises of `Transport` that the device side relies on.
struct HostConnection {
    /// Bodies arrive in pieces of so many bytes at most.
    private static let pieceBytes = 4096

    /// As the device made it, with its limits.
    private let request: TransportRequest
    /// As it is sent now, after redirects.
    private(set) var current: TransportRequest
    private let clock: FakeClock
    private let start: Double
    private var redirects = 0

    /// - Throws: `badURL` for an address that real transports do not take.
    init(_ request: TransportRequest, clock: FakeClock) throws(TransportError) {
        (self.request, current, self.clock) = (request, request, clock)
        start = clock.uptime()
        guard Self.isAddress(request.url) else {
            throw TransportError(.badURL, "the address is not a valid URL; give one like https://host/path")
        }
    }

    /// An absolute http or https URL without a user's name or password.
    private static func isAddress(_ text: String) -> Bool {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased() else { return false }
        return ["http", "https"].contains(scheme) && parts.host?.isEmpty == false
            && parts.user == nil && parts.password == nil && (0...65_535).contains(parts.port ?? 0)
    }

    private var host: String { URL(string: current.url)?.host ?? "the host" }

    func checkCancellation() throws(TransportError) {
        guard request.cancellation?.isCancelled == true else { return }
        throw TransportError(.cancelled, "the transfer with \(host) was cancelled")
    }

    /// Why there is no answer. What it takes to notice passes on the clock.
    func failure(_ code: TransportError.Code) -> TransportError {
        if code == .timedOut {
            let rest = request.totalTimeoutSeconds.map { max(0, start + $0 - clock.uptime()) } ?? .infinity
            clock.advance(bySeconds: min(request.connectTimeoutSeconds, rest))
        }
        return error(code)
    }

    /// In the words of real transports.
    private func error(_ code: TransportError.Code) -> TransportError {
        let text =
            switch code {
            case .couldNotResolve: "\(host) could not be found; check the name and the network"
            case .couldNotConnect: "\(host) does not accept connections; check the address and that it runs"
            case .tls:
                "no secure connection to \(host): the certificate is not trusted; check the certificate, or name the file of its CA in HEARTH_CA_FILE"
            case .timedOut: "\(host) did not answer in the time allowed; try again or allow more"
            case .stalled: "nothing came from \(host) for too long; try again"
            case .interrupted: "the connection to \(host) broke before the answer was complete; try again"
            case .tooLarge: "\(host) sent an answer longer than the limit of \(request.maxResponseBytes) bytes"
            default: "the transfer with \(host) failed"
            }
        return TransportError(code, text)
    }

    /// Lets time pass on the clock, up to what the request allows.
    private func forward(seconds: Double) throws(TransportError) {
        guard let total = request.totalTimeoutSeconds, clock.uptime() + seconds - start >= total else {
            clock.advance(bySeconds: seconds)
            return
        }
        clock.advance(bySeconds: max(0, start + total - clock.uptime()))
        throw error(.timedOut)
    }

    // MARK: Redirects

    /// Goes on to where a redirect leads.
    mutating func follow(_ target: String) throws(TransportError) {
        guard let old = URL(string: current.url), let new = URL(string: target, relativeTo: old)?.absoluteURL,
            ["http", "https"].contains(new.scheme)
        else { throw refusal("\(host) redirects to an address that cannot be followed") }
        guard old.scheme == "http" || new.scheme == "https" else {
            throw TransportError(
                .insecureRedirect, "\(host) redirects from https to plain http, which is never followed")
        }
        guard let limit = redirectLimit(from: old, to: new) else {
            throw refusal("\(host) redirects elsewhere, which is not allowed here; use the final address")
        }
        guard redirects < limit else {
            throw refusal("\(host) redirects more than \(limit) times; check its set-up")
        }
        redirects += 1
        current.url = new.absoluteString
        if (old.host, old.port) != (new.host, new.port) {
            current.headers.removeAll { !["range", "if-range"].contains($0.0.lowercased()) }
        }
    }

    /// nil when the request does not allow it at all.
    private func redirectLimit(from old: URL, to new: URL) -> Int? {
        switch request.redirects {
        case .refuse: nil
        case .follow(let max): max
        case .followSameHost(let max): old.host == new.host ? max : nil
        }
    }

    private func refusal(_ text: String) -> TransportError { TransportError(.redirectRefused, text) }

    // MARK: The body

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

    /// The time that a piece of the body takes: by the rate of the answer, or by the device's own cap.
    private func forward(pieceOf bytes: Int, _ answer: HostAnswer) throws(TransportError) {
        guard let rate = [answer.bytesPerSecond, request.maxBytesPerSecond].compactMap({ $0 }).min() else { return }
        try forward(seconds: Double(bytes) / Double(max(1, rate)))
    }

    private func callOut(_ body: () throws -> Void) throws(TransportError) {
        do {
            try body()
        } catch {
            throw TransportError(.aborted, "the receiver stopped the transfer from \(host)", cause: error)
        }
    }
}

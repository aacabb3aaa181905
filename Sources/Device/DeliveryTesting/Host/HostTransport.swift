import Foundation
package import HearthTransport
import HearthWire

/// Sends a device's requests to a ``ModelHost``.
package struct HostTransport: Transport {
    let host: ModelHost

    package func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        try host.send(request, onHead: onHead, onBody: onBody)
    }
}

extension ModelHost {
    package var transport: any Transport { HostTransport(host: self) }

    fileprivate func send(
        _ request: TransportRequest, onHead: HostTransport.HeadHandler?, onBody: HostTransport.BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        var connection = try HostConnection(request, clock: clock)
        while true {
            let kind = HostRoute(connection.current.url).kind
            try connection.checkCancellation()
            let step = nextStep(kind, connection.current)
            if let barrier = step.barrier, barrier.afterBytes == 0 { barrier.forward(request.cancellation) }
            try connection.checkCancellation()
            let answer = try answer(connection, kind, step)
            guard RedirectRule.isRedirect(answer.head) else {
                return try connection.deliver(answer, barrier: step.barrier, onHead: onHead, onBody: onBody) { count in
                    if kind == .file { countSent(count) }
                }
            }
            try connection.follow(answer.head)
        }
    }

    private func answer(
        _ connection: HostConnection, _ kind: RequestKind, _ step: FaultScript.Step
    ) throws(TransportError) -> HostAnswer {
        if case .failure(let code) = step.fault?.effect { throw connection.failure(code) }
        let now = clock.now()
        var answer = try answer(connection, kind, now: now)
        if case .change(let change) = step.fault?.effect {
            change(&answer, FaultContext(kind: kind, linkURL: linkURL, now: now))
        }
        for change in step.changes { try change(connection.current, &answer) }
        return answer
    }

    /// The answer of a host without faults.
    private func answer(
        _ connection: HostConnection, _ kind: RequestKind, now: Timestamp
    ) throws(TransportError) -> HostAnswer {
        let request = connection.current
        guard request.url.hasPrefix(serverURL + "/") || request.url.hasPrefix(linkURL + "/") else {
            throw connection.failure(.couldNotResolve)
        }
        switch kind {
        case .installation: return answerInstallation(request, now: now)
        case .info: return answerInfo(request, now: now)
        case .file: return answerFile(request, now: now)
        case .events: return answerEvents(request, now: now)
        }
    }
}

/// Finds the kind of a request. Pure.
struct HostRoute {
    let kind: ModelHost.RequestKind
    /// The path after `/installations` or `/models`, percent-decoded; empty for other requests.
    let segments: [String]

    init(_ url: String) {
        let parts = url.prefix { $0 != "?" }.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
        if let start = parts.lastIndex(of: "installations") {
            kind = .installation
            segments = Array(parts[(start + 1)...])
        } else if let last = parts.last, last.hasSuffix(":download") {
            kind = .info
            segments = [String(last.dropLast(":download".count))]
        } else if parts.last == "events" {
            kind = .events
            segments = []
        } else {
            kind = .file
            segments = []
        }
    }
}

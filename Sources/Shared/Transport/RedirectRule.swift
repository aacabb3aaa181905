/// Decides which request follows a redirect. Pure.
package struct RedirectRule {
    package let policy: TransportRequest.Redirects

    package init(policy: TransportRequest.Redirects) { self.policy = policy }

    /// Headers without information about the sender, which another origin may see.
    private static let harmlessHeaders: Set<String> = [
        "accept", "accept-encoding", "accept-language", "cache-control", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "range", "user-agent",
    ]

    /// Whether an answer is a redirect. Some stores send 308 without `Location` for "continue your upload".
    package static func isRedirect(_ head: TransportResponseHead) -> Bool {
        [301, 302, 303, 307, 308].contains(head.status) && head.headers["Location"] != nil
    }

    /// The request to send next, after `followed` redirects before this one.
    ///
    /// - Throws: `insecureRedirect` from https to plain http, `redirectRefused` when the policy does not allow it.
    package func next(
        after request: OutgoingRequest, head: TransportResponseHead, followed: Int
    ) throws(TransportError) -> OutgoingRequest {
        let target = try target(of: head, from: request.url)
        guard followed < limit else { throw refusal(by: request.url.host) }
        if case .followSameHost = policy, target.host != request.url.host {
            throw TransportError(
                .redirectRefused,
                "\(request.url.host) redirects to \(target.host), which is not allowed here; use the final address")
        }
        var next = Self.rewritten(request, status: head.status)
        next.url = target
        guard !target.hasSameOrigin(as: request.url) else { return next }
        guard !next.hasBody else {
            throw TransportError(
                .redirectRefused, "\(request.url.host) redirects an upload to \(target.host); send it there directly")
        }
        next.headers.removeAll { !Self.harmlessHeaders.contains($0.0.lowercased()) }
        return next
    }

    /// How many redirects may follow each other.
    private var limit: Int {
        switch policy {
        case .refuse: 0
        case .follow(let max), .followSameHost(let max): max
        }
    }

    private func refusal(by host: String) -> TransportError {
        guard policy != .refuse else {
            return TransportError(
                .redirectRefused, "\(host) redirects elsewhere, which is not allowed here; use the final address")
        }
        return TransportError(.redirectRefused, "\(host) redirects more than \(limit) times; check its set-up")
    }

    private func target(of head: TransportResponseHead, from url: TransportURL) throws(TransportError) -> TransportURL {
        let target: TransportURL
        do {
            target = try TransportURL(resolving: head.headers["Location"] ?? "", from: url)
        } catch {
            throw TransportError(
                .redirectRefused, "\(url.host) redirects to an address that cannot be followed: \(error)", cause: error)
        }
        guard url.scheme == "http" || target.scheme == "https" else {
            throw TransportError(
                .insecureRedirect, "\(url.host) redirects from https to plain http, which is never followed")
        }
        return target
    }

    /// 303 turns every request except HEAD into a GET; 301 and 302 turn a POST into one (as in every browser); 307 and
    /// 308 change nothing.
    private static func rewritten(_ request: OutgoingRequest, status: Int) -> OutgoingRequest {
        var next = request
        let becomesGET =
            switch status {
            case 303: request.method != "HEAD"
            case 301, 302: request.method == "POST"
            default: false
            }
        if becomesGET {
            next.method = "GET"
            next.body = .none
            next.headers.removeAll { $0.0.lowercased().hasPrefix("content-") }
        }
        return next
    }
}

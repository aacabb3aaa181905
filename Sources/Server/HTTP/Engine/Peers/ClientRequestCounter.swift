import HearthConcurrency
internal import Synchronization

/// Counts the requests in progress that trusted proxies forward, by the network of their client. The proxy holds all
/// the connections, so only this limit prevents that one client takes all of them.
final class ClientRequestCounter: Sendable {
    private let rule: NetworkQuota
    private let held = Lock<[IPAddress: Int]>([:])
    private let refused = Atomic<UInt64>(0)

    /// One client gets at most a quarter of the connections.
    init(limits: ServerLimits) {
        let most = min(limits.clientRequests, max(1, limits.connections / 4))
        rule = NetworkQuota(places: limits.connections, perNetwork: most)
    }

    /// How many requests were refused so far.
    var refusals: UInt64 { refused.load(ordering: .relaxed) }

    /// Counts a request of `network` until `leave`. If the network has too many, it returns `false` and counts nothing.
    ///
    /// - Parameter connections: how many are open at this moment.
    func enter(_ network: IPAddress, connections: Int) -> Bool {
        let isAdmitted = held.withLock { held in
            let count = held[network, default: 0]
            // The request's own connection is one of the open ones, and does not count against it.
            guard rule.admits(held: count, taken: connections - 1) else { return false }
            held[network] = count + 1
            return true
        }
        if !isAdmitted { refused.wrappingAdd(1, ordering: .relaxed) }
        return isAdmitted
    }

    func leave(_ network: IPAddress) {
        held.withLock { held in
            guard let count = held[network] else { return }
            // Networks without requests are removed.
            held[network] = count > 1 ? count - 1 : nil
        }
    }
}

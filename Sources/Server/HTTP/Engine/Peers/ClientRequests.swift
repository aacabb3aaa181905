internal import Synchronization

/// Counts the requests in progress that trusted proxies pass on, by the network of their client: the proxy holds all the
/// connections, so nothing else keeps one client from taking all of them.
final class ClientRequests: Sendable {
    private let rule: PlaceRule
    private let held = Mutex<[IPAddress: Int]>([:])
    private let refused = Atomic<UInt64>(0)

    /// A quarter of the connections at most are one client's.
    init(limits: ServerLimits) {
        let most = min(limits.clientRequests, max(1, limits.connections / 4))
        rule = PlaceRule(places: limits.connections, perNetwork: most)
    }

    /// Requests that were refused so far.
    var refusals: UInt64 { refused.load(ordering: .relaxed) }

    /// Counts a request of `network`, until `leave`; `false`, and nothing is counted, where it has too many.
    ///
    /// - Parameter connections: open at this moment.
    func enter(_ network: IPAddress, connections: Int) -> Bool {
        let isAdmitted = held.withLock { held in
            let count = held[network, default: 0]
            // The request's own connection is among the open ones, and was no obstacle to it.
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
            // Only those that hold something are remembered.
            held[network] = count > 1 ? count - 1 : nil
        }
    }
}

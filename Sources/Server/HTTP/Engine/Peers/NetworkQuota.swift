internal import Synchronization

/// How many places one network of peers may take, of all that there are. Places are connections, or requests that a trusted
/// proxy passes on.
struct NetworkQuota {
    /// Of all places, this part is kept for those who hold few.
    private static let partKeptForFew = 4
    /// Of the places that are left then, a network gets another one only while it holds less than this part.
    private static let partOfFree = 8
    /// So many a network may hold in any case.
    static let few = 4

    /// All places.
    let places: Int
    /// Most for one network; 0 means any number, also of the last places.
    let perNetwork: Int

    /// Above so many taken places, they are scarce.
    var scarceAbove: Int { places - places / Self.partKeptForFew }

    /// - Parameters:
    ///   - held: places that the network has.
    ///   - taken: places that all have.
    func admits(held: Int, taken: Int) -> Bool {
        guard perNetwork > 0 else { return true }
        guard held < perNetwork else { return false }
        guard taken >= scarceAbove else { return true }
        return held < max(Self.few, max(places - taken, 0) / Self.partOfFree)
    }
}

/// Counts the requests in progress that trusted proxies pass on, by the network of their client: the proxy holds all the
/// connections, so nothing else keeps one client from taking all of them.
final class ClientRequestCounter: Sendable {
    private let rule: NetworkQuota
    private let held = Mutex<[IPAddress: Int]>([:])
    private let refused = Atomic<UInt64>(0)

    /// A quarter of the connections at most are one client's.
    init(limits: ServerLimits) {
        let most = min(limits.clientRequests, max(1, limits.connections / 4))
        rule = NetworkQuota(places: limits.connections, perNetwork: most)
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

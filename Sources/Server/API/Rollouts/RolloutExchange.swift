import HearthCatalog
import HearthConcurrency
import HearthRollouts
import HearthStorage

/// Brings what all servers see of the devices of guarded releases to the one server that decides about them. One thread at
/// a time.
///
/// Each server stores what it has seen, in small pieces. The deciding one adds the pieces to its watches, and removes them
/// in the transaction that stores the watch. So when another server takes over, stored watches and pieces together contain
/// each observation once. The other servers show the stored watches, which are about a minute old.
final class RolloutExchange: Sendable {
    private struct State {
        var isDecider = false
        /// The pieces that are in the watches and not removed yet.
        var added: [RolloutWatches.Key: Set<Int64>] = [:]
        var readSeconds = Int64.min
    }

    /// Another server decides now, or did so meanwhile.
    struct Superseded: Error, CustomStringConvertible {
        let description = "another server has taken the rollouts over"
    }

    /// The most pieces that wait. If nobody takes them, more would be too many for who does at last.
    private static let waitingLimit = 4096
    private static let readCount = 64

    private let metadata: any MetadataStore
    private let watches: RolloutWatches
    private let state = Lock(State())

    init(_ metadata: any MetadataStore, _ watches: RolloutWatches) {
        self.metadata = metadata
        self.watches = watches
    }

    /// Whether this server decides, as of the last round.
    var isDecider: Bool { state.withLock { $0.isDecider } }

    /// Sends what this server has seen, and makes its watches as new as they can be.
    ///
    /// - Parameter isLast: only sends.
    /// - Returns: whether the watches are new, and a line for each that cannot be read.
    func run(isLast: Bool) throws -> (isNew: Bool, lines: [String]) {
        try send()
        guard !isLast else { return (false, []) }
        guard metadata.coordination.holds(.rollouts) else {
            state.withLock { state in
                if state.isDecider { state = State() }
            }
            return try readIfDue()
        }
        var lines: [String] = []
        if !isDecider {
            lines = watches.restore(try metadata.read { try $0.rolloutWatches() })
            state.withLock { $0 = State(isDecider: true) }
        }
        try receive()
        return (true, lines)
    }

    private func send() throws {
        let seen = watches.takeSeen()
        guard !seen.isEmpty else { return }
        do {
            guard try metadata.read({ try $0.rolloutSightingIDs() }).count < Self.waitingLimit else { return }
            try metadata.write { store in
                for (key, observations) in seen where try store.release(key.release, model: key.model) != nil {
                    try store.insert(
                        RolloutSightings(
                            id: 0, modelID: key.model, release: key.release,
                            observations: RolloutObservation.bytes(observations)))
                }
            }
        } catch {
            watches.putBack(seen)
            throw error
        }
    }

    private func receive() throws {
        let known = state.withLock { $0.added.values.reduce(into: Set()) { $0.formUnion($1) } }
        var new = try metadata.read { try $0.rolloutSightingIDs() }.filter { !known.contains($0) }[...]
        while !new.isEmpty {
            let ids = new.prefix(Self.readCount)
            new = new.dropFirst(Self.readCount)
            for piece in try metadata.read({ store in try ids.compactMap { try store.rolloutSightings(id: $0) } }) {
                let key = RolloutWatches.Key(model: piece.modelID, release: piece.release)
                // A damaged one is removed like the others.
                for each in RolloutObservation.observations(piece.observations) ?? [] { watches.add(each, to: key) }
                state.withLock { _ = $0.added[key, default: []].insert(piece.id) }
            }
        }
    }

    /// The stored watches, for pages that show them.
    private func readIfDue() throws -> (isNew: Bool, lines: [String]) {
        let now = watches.seconds
        guard state.withLock({ $0.readSeconds == .min || now - $0.readSeconds >= watches.storeInterval }) else {
            return (false, [])
        }
        let lines = watches.restore(try metadata.read { try $0.rolloutWatches() })
        state.withLock { $0.readSeconds = now }
        return (true, lines)
    }

    /// Removes the pieces that these watches contain, inside of the transaction that stores them.
    ///
    /// - Returns: what `finish` gets after the commit.
    /// - Throws: `Superseded` if another server has removed one of them.
    func removeAdded(
        to stored: [RolloutWatchRecord], _ store: any MetadataWriter
    ) throws -> [RolloutWatches.Key: Set<Int64>] {
        let stored = Set(stored.map(RolloutWatches.Key.init))
        // Without a watch there is nothing to store: there are too many others.
        let removed = state.withLock { $0.added }.filter { stored.contains($0.key) || !watches.isWatched($0.key) }
        for (key, ids) in removed where try store.deleteRolloutSightings(ids.sorted()) != ids.count {
            // Those of a release that has just been deleted are gone with it.
            guard try store.release(key.release, model: key.model) != nil else { continue }
            throw Superseded()
        }
        return removed
    }

    /// Whether it has pieces of which no watch was made.
    var hasLeftovers: Bool { state.withLock { $0.added.keys.contains { !watches.isWatched($0) } } }

    func finish(_ removed: [RolloutWatches.Key: Set<Int64>]) {
        state.withLock { state in
            for (key, ids) in removed {
                state.added[key]?.subtract(ids)
                if state.added[key]?.isEmpty == true { state.added[key] = nil }
            }
        }
    }

    /// Begins anew from what is stored, in the next round.
    func standDown() { state.withLock { $0 = State() } }

    /// The same, also without what waits to be stored.
    func forget() {
        _ = watches.takeSeen()
        standDown()
    }
}

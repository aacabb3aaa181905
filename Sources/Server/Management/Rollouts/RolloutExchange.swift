import HearthCatalog
import HearthConcurrency
import HearthDevicePlane
import HearthRollouts
import HearthStorage

/// Brings what all servers see of the devices of guarded releases to the one server that decides about them. One thread at
/// a time.
///
/// Each server stores what it has seen, in small pieces. The deciding one waits until all servers have sent what they saw
/// at that time, adds the pieces to its watches in the order of time, and removes them in the transaction that stores the
/// watch. So when another server takes over, stored watches and pieces together contain each observation once. The other
/// servers show the stored watches, which are about a minute old.
final class RolloutExchange: Sendable {
    private struct State {
        var isDecider = false
        /// The pieces that wait for those of other servers.
        var settling: [RolloutWatches.Key: SettlingObservations] = [:]
        /// The pieces that are in the watches and not removed yet.
        var added: [RolloutWatches.Key: Set<Int64>] = [:]
        /// The pieces that were read.
        var known: Set<Int64> = []
        /// Nothing that was stored may be used: the database is that of an earlier time.
        var beginsAnew = false
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
    /// How long after the end of a piece all servers have sent theirs.
    private let settleSeconds: Int64
    private let state = Lock(State())

    /// - Parameter checkSeconds: how often each server sends.
    init(_ metadata: any MetadataStore, _ watches: RolloutWatches, checkSeconds: Double) {
        self.metadata = metadata
        self.watches = watches
        settleSeconds = Int64(2 * checkSeconds) + 5
    }

    /// Whether this server decides, as of the last round.
    var isDecider: Bool { state.withLock { $0.isDecider } }

    /// Sends what this server has seen, and makes its watches as new as they can be.
    ///
    /// - Parameters:
    ///   - releases: those that are to be watched.
    ///   - isLast: only sends.
    /// - Returns: whether the watches are new, and a line for each that cannot be read.
    func run(_ releases: [Release], isLast: Bool) throws -> (isNew: Bool, lines: [String]) {
        try send(all: isLast)
        guard !isLast else { return (false, []) }
        guard metadata.coordination.holds(.rollouts) else {
            state.withLock { state in
                if state.isDecider { state = State() }
            }
            return try readIfDue()
        }
        var lines: [String] = []
        if !isDecider {
            let beginsAnew = state.withLock { $0.beginsAnew }
            lines = watches.restore(beginsAnew ? [] : try metadata.read { try $0.rolloutWatches() })
            state.withLock { $0 = State(isDecider: true) }
            if beginsAnew { try receive(isOfEarlierTime: true) }
        }
        for release in releases { watches.begin(release) }
        try receive()
        settle()
        return (true, lines)
    }

    private func send(all: Bool) throws {
        let seen = watches.takeSeen(all: all)
        guard !seen.isEmpty else { return }
        do {
            guard try metadata.read({ try $0.rolloutSightingIDs() }).count < Self.waitingLimit else {
                return watches.metrics.countCall(.dropped, seen.reduce(0) { $0 + $1.observations.count })
            }
            try metadata.write { store in
                for (key, observations) in seen
                where try store.release(key.release, model: key.model) != nil {
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

    /// - Parameter isOfEarlierTime: whether the pieces are those of a database of an earlier time, of which nothing counts.
    private func receive(isOfEarlierTime: Bool = false) throws {
        let known = state.withLock { $0.known }
        let stored = try metadata.read { try $0.rolloutSightingIDs() }
        // So that the set does not grow for ever.
        state.withLock { $0.known.formIntersection(stored) }
        var new = stored.filter { !known.contains($0) }[...]
        while !new.isEmpty {
            let ids = new.prefix(Self.readCount)
            new = new.dropFirst(Self.readCount)
            for piece in try metadata.read({ store in try ids.compactMap { try store.rolloutSightings(id: $0) } }) {
                take(piece, counts: !isOfEarlierTime)
            }
        }
    }

    private func take(_ piece: RolloutSightings, counts: Bool) {
        let key = RolloutWatches.Key(model: piece.modelID, release: piece.release)
        // One that does not count, or is damaged, is removed like the others.
        var found: [RolloutObservation] = []
        if counts {
            switch RolloutObservation.piece(piece.observations) {
            case .observations(let observations): found = observations
            // A server of the version before saw these devices, and did not say enough about them.
            case .former: watches.beginAnew(key)
            case .damaged: break
            }
        }
        state.withLock { state in
            state.known.insert(piece.id)
            state.settling[key, default: SettlingObservations()].add(found, id: piece.id)
        }
    }

    /// Adds what all servers have sent by now.
    private func settle() {
        let now = watches.seconds
        for key in state.withLock({ Array($0.settling.keys) }) {
            let (ids, observations) = state.withLock { state in
                let taken = state.settling[key]?.take(endedBefore: now - settleSeconds, atSeconds: now) ?? ([], [])
                if state.settling[key]?.isEmpty == true { state.settling[key] = nil }
                return taken
            }
            for each in observations { watches.add(each, to: key) }
            guard !ids.isEmpty else { continue }
            state.withLock { $0.added[key, default: []].formUnion(ids) }
        }
    }

    /// The stored watches, for pages that show them.
    private func readIfDue() throws -> (isNew: Bool, lines: [String]) {
        let now = watches.seconds
        guard state.withLock({ $0.readSeconds == .min || now - $0.readSeconds >= watches.storeInterval }) else {
            return (false, [])
        }
        // What cannot be read is the business of the server that decides.
        _ = watches.restore(try metadata.read { try $0.rolloutWatches() })
        state.withLock { $0.readSeconds = now }
        return (true, [])
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

    /// Begins anew in the next round, without what is stored or waits to be: the database is that of an earlier time.
    func forget() {
        watches.forgetAll()
        state.withLock { $0 = State(beginsAnew: true) }
    }
}

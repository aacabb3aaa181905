import HearthCampaignInput
import HearthRollouts

/// The servers that devices ask, up to the watch of the one that decides.
struct ObservingServers {
    private let count: Int
    private let lost: Double
    private var random: SplitMix
    /// What each server saw in the present slot, which is one piece.
    private var seen: [[RolloutObservation]]
    private var settling = SettlingObservations()
    /// Pieces that arrive one slot later.
    private var underWay: [[UInt8]] = []
    private var lastPiece: Int64 = 0

    init(_ scenario: Scenario, seed: UInt64) {
        count = scenario.servers
        lost = scenario.lostPieces
        random = SplitMix(seed: seed)
        seen = Array(repeating: [], count: scenario.servers)
    }

    mutating func add(_ observation: RolloutObservation, to watch: inout RolloutWatch) {
        guard count > 1 else { return watch.observe(observation) }
        var observation = observation
        // Calls of one slot come at any second of it.
        observation.seconds += Int64(random.next() % UInt64(Slots.seconds))
        seen[Int(random.next() % UInt64(count))].append(observation)
    }

    /// At the end of a slot: pieces are sent, and come in any order, at once or a slot later.
    mutating func endSlot(atSeconds now: Int64, _ watch: inout RolloutWatch) {
        guard count > 1 else { return }
        var arriving = underWay
        underWay = []
        for server in seen.indices where !seen[server].isEmpty {
            seen[server].sort { $0.seconds < $1.seconds }
            let bytes = RolloutObservation.bytes(seen[server])
            seen[server].removeAll(keepingCapacity: true)
            if lost > 0, random.uniform() < lost { continue }
            if random.next() & 1 == 0 { arriving.append(bytes) } else { underWay.append(bytes) }
        }
        if arriving.count > 1, random.next() & 1 == 0 { arriving.reverse() }
        for bytes in arriving {
            guard case .observations(let observations) = RolloutObservation.piece(bytes) else {
                fatalError("a piece does not decode")
            }
            lastPiece += 1
            settling.add(observations, id: lastPiece)
        }
        for observation in settling.take(endedBefore: now - Slots.seconds, atSeconds: now).observations {
            watch.observe(observation)
        }
    }
}

import HearthRouting

/// Decides which callers get the places for update streams when few are left. A decision without streams, clock or
/// lock.
///
/// A caller belongs to a project, in it to an API key, and in that to a network. Each of these has a limit, as a share
/// of all places. Within the limits, a caller gets a free place. If no place is free, an older stream may be evicted:
/// from the project with the most streams, if that project still has at least as many as the caller's project then has;
/// otherwise, by the same rule, from another key of the caller's project, or from another network of its key. So one
/// app can use all places while no other app wants any, and it cannot keep another app from getting as many places as
/// it has itself.
struct StreamAdmission {
    /// The groups that a caller belongs to.
    struct Caller: Hashable {
        let projectID: String
        let keyID: String
        /// The client's network, as `ClientNetwork` names it.
        let network: String
    }

    /// What to do with a caller that wants to begin a stream.
    enum Decision: Equatable {
        case admit
        /// The stream of that number ends, and the caller gets its place.
        case evict(of: UInt64)
        case refuse
    }

    /// The streams of one network with one key.
    private struct Network {
        /// Oldest first, which is the order of their numbers.
        var streams: [UInt64] = []
    }

    /// The streams of one API key.
    private struct Key {
        var networks: [String: Network] = [:]
        var count = 0
    }

    /// The streams of one project.
    private struct Project {
        var keys: [String: Key] = [:]
        var count = 0
    }

    private let limits: UpdateStreamLimits
    private var projects: [String: Project] = [:]
    private var networks: [String: Int] = [:]
    private(set) var count = 0

    init(_ limits: UpdateStreamLimits) { self.limits = limits }

    /// What to do with a caller that wants to begin a stream now.
    func decision(for caller: Caller) -> Decision {
        let project = projects[caller.projectID]
        let key = project?.keys[caller.keyID]
        guard networks[caller.network, default: 0] < limits.perNetwork, (key?.count ?? 0) < limits.perKey,
            project?.count ?? 0 < limits.perProject
        else { return .refuse }
        guard count >= limits.streams else { return .admit }
        return evictionCandidate(to: caller, project ?? Project(), key ?? Key()).map(Decision.evict) ?? .refuse
    }

    /// Counts a stream. Numbers must grow from call to call.
    mutating func add(_ number: UInt64, of caller: Caller) {
        projects[caller.projectID, default: Project()].count += 1
        projects[caller.projectID]?.keys[caller.keyID, default: Key()].count += 1
        projects[caller.projectID]?.keys[caller.keyID]?.networks[caller.network, default: Network()].streams
            .append(number)
        networks[caller.network, default: 0] += 1
        count += 1
    }

    /// Has no effect if there is no such stream.
    mutating func remove(_ number: UInt64, of caller: Caller) {
        guard var project = projects[caller.projectID], var key = project.keys[caller.keyID],
            var network = key.networks[caller.network], let index = network.streams.firstIndex(of: number)
        else { return }
        network.streams.remove(at: index)
        key.networks[caller.network] = network.streams.isEmpty ? nil : network
        key.count -= 1
        project.keys[caller.keyID] = key.count == 0 ? nil : key
        project.count -= 1
        projects[caller.projectID] = project.count == 0 ? nil : project
        let left = networks[caller.network, default: 1] - 1
        networks[caller.network] = left == 0 ? nil : left
        count -= 1
    }

    /// The oldest stream of the largest network of the largest key of the largest project. The levels are tried in
    /// turn: projects, then keys of the caller's project, then networks of its key. A stream is evicted on the first
    /// level on which the largest group has at least two streams more than the caller's group.
    private func evictionCandidate(to caller: Caller, _ own: Project, _ ownKey: Key) -> UInt64? {
        if let largest = Self.largest(projects, by: \.count), largest.count >= own.count + 2 {
            return Self.largest(largest.keys, by: \.count).flatMap(Self.oldest)
        }
        if let largest = Self.largest(own.keys, by: \.count), largest.count >= ownKey.count + 2 {
            return Self.oldest(of: largest)
        }
        let mine = ownKey.networks[caller.network]?.streams.count ?? 0
        guard let largest = Self.largest(ownKey.networks, by: \.streams.count), largest.streams.count >= mine + 2
        else { return nil }
        return largest.streams.first
    }

    private static func oldest(of key: Key) -> UInt64? {
        largest(key.networks, by: \.streams.count)?.streams.first
    }

    /// Of several groups of the same size, the first by name, so that the choice is the same in every process.
    private static func largest<Group>(_ groups: [String: Group], by count: KeyPath<Group, Int>) -> Group? {
        groups.max { ($0.value[keyPath: count], $1.key) < ($1.value[keyPath: count], $0.key) }?.value
    }
}

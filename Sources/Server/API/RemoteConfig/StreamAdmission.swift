/// Who has the places for streams, and who gets one when there are few left: a decision without streams, clock or lock.
///
/// A caller belongs to a project, in it to an API key, in that to a network. None of these may have more than its share
/// of all places. Within it, whoever comes gets a free place. When there is none, a place is handed over: by the
/// project that has most, if that leaves it no fewer than the newcomer's has then; else among the keys of the
/// newcomer's project, else among the networks of its key. So one app can have all places as long as nobody else
/// wants any, and cannot keep another from getting as many as it has itself.
struct StreamAdmission {
    struct Caller: Hashable {
        let projectID: String
        let keyID: String
        /// The client's, as `ClientNetwork` names it.
        let network: String
    }

    enum Decision: Equatable {
        case admit
        /// The stream of that number ends, and its place is the newcomer's.
        case evict(of: UInt64)
        case refuse
    }

    private struct Network {
        /// Oldest first, as their numbers are.
        var streams: [UInt64] = []
    }

    private struct Key {
        var networks: [String: Network] = [:]
        var count = 0
    }

    private struct Project {
        var keys: [String: Key] = [:]
        var count = 0
    }

    private let limits: UpdateStreamLimits
    private var projects: [String: Project] = [:]
    private var networks: [String: Int] = [:]
    private(set) var count = 0

    init(_ limits: UpdateStreamLimits) { self.limits = limits }

    /// What happens with a caller who wants to begin a stream now.
    func decision(for caller: Caller) -> Decision {
        let project = projects[caller.projectID]
        let key = project?.keys[caller.keyID]
        guard networks[caller.network, default: 0] < limits.perNetwork, (key?.count ?? 0) < limits.perKey,
            project?.count ?? 0 < limits.perProject
        else { return .refuse }
        guard count >= limits.streams else { return .admit }
        return evictionCandidate(to: caller, project ?? Project(), key ?? Key()).map(Decision.evict) ?? .refuse
    }

    /// Numbers grow from call to call.
    mutating func add(_ number: UInt64, of caller: Caller) {
        projects[caller.projectID, default: Project()].count += 1
        projects[caller.projectID]?.keys[caller.keyID, default: Key()].count += 1
        projects[caller.projectID]?.keys[caller.keyID]?.networks[caller.network, default: Network()].streams
            .append(number)
        networks[caller.network, default: 0] += 1
        count += 1
    }

    /// No effect where there is no such stream.
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

    /// The oldest stream of the network that has most, of the key that has most, of the project that has most, on the first
    /// of these floors on which somebody has at least two more than the newcomer's side.
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

    /// Of several that have as many, the first by name: the same choice in every process.
    private static func largest<Group>(_ groups: [String: Group], by count: KeyPath<Group, Int>) -> Group? {
        groups.max { ($0.value[keyPath: count], $1.key) < ($1.value[keyPath: count], $0.key) }?.value
    }
}

/// How many devices may wait at once for news of their configuration, in all and of one side.
package struct UpdateStreamLimits: Sendable, Hashable {
    /// In all, each with an open connection.
    package var streams = 1000
    /// The share that one project may have.
    package var projectPercent = 100
    /// The share that one API key may have.
    package var keyPercent = 100
    /// The share that one client address, for IPv6 one /64 network, may have.
    package var networkPercent = 10

    package init() {}

    var perProject: Int { places(percent: projectPercent) }
    var perKey: Int { places(percent: keyPercent) }
    var perNetwork: Int { places(percent: networkPercent) }

    /// One at least: a share of nothing would shut everybody out. The whole is no limit of its own.
    private func places(percent: Int) -> Int { percent < 100 ? max(1, streams * percent / 100) : .max }
}

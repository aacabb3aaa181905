/// Who gives way where connections are scarce.
enum CrowdRelief {
    struct Holder {
        /// `nil` where the peer's address is unknown; all of these count as one.
        var network: IPAddress?
        var mayGiveUp: Bool
        /// How long it has been at what it is at.
        var since: Duration
    }

    /// Up to `count` of the holders, by their places in the list: always the one that has waited longest, of the network that
    /// holds the most connections at that moment among those with one that may give up.
    static func choose(_ count: Int, of holders: [Holder]) -> [Int] {
        guard count > 0 else { return [] }
        var networks: [IPAddress?: [Int]] = [:]
        for index in holders.indices { networks[holders[index].network, default: []].append(index) }
        // The n-th one that a network gives leaves it with n less: so the order of all is known ahead.
        var choices: [(held: Int, index: Int)] = []
        for members in networks.values {
            let candidates = members.filter { holders[$0].mayGiveUp }.sorted { holders[$0].since < holders[$1].since }
            for (given, index) in candidates.enumerated() { choices.append((members.count - given, index)) }
        }
        choices.sort { left, right in
            if left.held != right.held { return left.held > right.held }
            let (leftSince, rightSince) = (holders[left.index].since, holders[right.index].since)
            return leftSince == rightSince ? left.index < right.index : leftSince < rightSince
        }
        return choices.prefix(count).map(\.index)
    }
}

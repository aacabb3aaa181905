/// How much one round may remove without an operator's confirmation. With a lost or wrong database, or a clock that
/// jumped, nearly all seems unneeded; then nothing is removed.
package struct RemovalLimit: Sendable {
    /// One round may remove this many, however few there are in all.
    package static let freeCount = 20
    /// One round may remove one in this many of all.
    package static let shareDivisor = 4

    /// What an operator confirmed; empty without a confirmation.
    private let confirmed: DeferredRemovals
    /// What waits for an operator's confirmation.
    package private(set) var deferred = DeferredRemovals()

    package init(confirmed: DeferredRemovals) { self.confirmed = confirmed }

    /// Whether `count` of `total` things may be removed. If not, they count as deferred.
    package mutating func allows(_ count: Int, of total: Int, _ kind: DeferredRemovals.Kind) -> Bool {
        let isFew = count <= Self.freeCount || count <= total / Self.shareDivisor
        guard !isFew, count > confirmed.counts[kind]?.count ?? 0 else { return true }
        deferred.counts[kind] = DeferredRemovals.Count(count: count, total: total)
        return false
    }
}

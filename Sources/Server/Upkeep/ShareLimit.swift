/// How much may go in one round without an operator's word. A lost or mistaken database, and a clock that jumped, make nearly all
/// look as if nobody needed it: then nothing goes.
public struct ShareLimit: Sendable {
    /// As many may go in one round, however few there are in all.
    public static let freeCount = 20
    /// One part in so many may go in one round.
    public static let shareDivisor = 4

    /// What an operator allowed to go; empty without a word.
    private let confirmed: HeldBack
    /// How much waits for an operator's word.
    public private(set) var heldBack = HeldBack()

    public init(confirmed: HeldBack) { self.confirmed = confirmed }

    /// Whether `count` of `total` things may go. If not, they are counted as held back.
    public mutating func allows(_ count: Int, of total: Int, _ kind: HeldBack.Kind) -> Bool {
        let isFew = count <= Self.freeCount || count <= total / Self.shareDivisor
        guard !isFew, count > confirmed.counts[kind]?.count ?? 0 else { return true }
        heldBack.counts[kind] = HeldBack.Count(count: count, total: total)
        return false
    }
}

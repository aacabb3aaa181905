import Synchronization

/// What metrics tell of upkeep, from any thread.
public final class UpkeepStatus: Sendable {
    private let heldBack = Atomic(0)
    private let asides = Atomic(0)

    public init() {}

    /// How much the last round left because it was too much at once.
    public var heldBackCount: Int { heldBack.load(ordering: .relaxed) }
    /// How many files were aside after the last round.
    public var asideCount: Int { asides.load(ordering: .relaxed) }

    func set(heldBack count: Int, asides asideCount: Int) {
        heldBack.store(count, ordering: .relaxed)
        asides.store(asideCount, ordering: .relaxed)
    }
}

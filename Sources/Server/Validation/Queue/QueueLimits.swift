/// How a validation queue goes about its work.
public struct QueueLimits: Sendable, Hashable {
    /// Checks at once; more wait for their turn.
    public var concurrentChecks = 2
    /// The pauses before a check is tried again that could not be run; after the last one it is given up
    /// until the next start.
    public var retryPausesSeconds: [Double] = [1, 5, 30, 120]

    public init() {}
}

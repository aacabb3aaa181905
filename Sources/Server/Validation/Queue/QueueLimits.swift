/// How a validation queue goes about its work.
public struct QueueLimits: Sendable, Hashable {
    /// Checks at once; more wait for their turn. The last free place is for a project that has none under way: a project has one
    /// place less than there are, and all of it where there is one.
    public var concurrentChecks = 2
    /// The pauses before a check is tried again that could not be run; after the last one it is given up
    /// until the next start.
    public var retryPausesSeconds: [Double] = [1, 5, 30, 120]

    public init() {}
}

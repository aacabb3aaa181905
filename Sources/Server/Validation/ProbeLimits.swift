/// What the probes of one model may use. A probe caps itself before it reads the model; the wall time is the parent's to
/// enforce.
public struct ProbeLimits: Sendable {
    /// From start to exit of the process that looks at the model; then it is killed.
    public var wallSeconds: Double = 20
    /// Runs to time at most, 1 to 10,000; 0 to run no model at all.
    public var measuredRuns: Int = 20
    /// No timed run begins when this has passed since the first; at most 3600.
    public var measuredSeconds: Double = 5
    /// From start to exit of the process that runs the model; then it is killed. Loading, a run that is not timed and
    /// at least one that is have to fit in.
    public var measuringWallSeconds: Double = 15
    /// What a probe may print.
    public var outputBytes: Int = 1 << 20
    /// Models at once; more wait for their turn.
    public var concurrentProbes: Int = 2
    /// Items in each list of a contract.
    public var contractItems: Int = 4096
    /// Characters in each text of a report.
    public var textCharacters: Int = 1000

    public init() {}
}

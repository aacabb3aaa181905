/// What one probe may use. The probe caps itself before it reads the model; the wall time is the parent's to enforce.
public struct ProbeLimits: Sendable {
    /// From start to exit; then the probe is killed.
    public var wallSeconds: Double = 20
    /// What the probe may print.
    public var outputBytes: Int = 1 << 20
    /// Probes at once; more wait for their turn.
    public var concurrentProbes: Int = 2
    /// Items in each list of a contract.
    public var contractItems: Int = 4096
    /// Characters in each text of a report.
    public var textCharacters: Int = 1000

    public init() {}
}

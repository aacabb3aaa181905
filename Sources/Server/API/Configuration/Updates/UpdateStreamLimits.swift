/// How many devices may wait at once for news of their configuration, in all and of one side.
public struct UpdateStreamLimits: Sendable, Hashable {
    /// In all, each with an open connection.
    public var streams = 1000
    /// The share that one project may have.
    public var projectPercent = 100
    /// The share that one API key may have.
    public var keyPercent = 100
    /// The share that one client address, for IPv6 one /64 network, may have.
    public var networkPercent = 10

    public init() {}

    var perProject: Int { places(percent: projectPercent) }
    var perKey: Int { places(percent: keyPercent) }
    var perNetwork: Int { places(percent: networkPercent) }

    /// One at least: a share of nothing would shut everybody out. The whole is no limit of its own.
    private func places(percent: Int) -> Int { percent < 100 ? max(1, streams * percent / 100) : .max }
}

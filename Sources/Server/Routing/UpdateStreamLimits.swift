/// How many devices may wait for template updates at once: in all, and per project, key and network.
package struct UpdateStreamLimits: Sendable, Hashable {
    /// In all. Each has an open connection.
    package var streams = 1000
    /// The share that one project may have.
    package var projectPercent = 100
    /// The share that one API key may have.
    package var keyPercent = 100
    /// The share that one client address, for IPv6 one /64 network, may have.
    package var networkPercent = 10

    package init() {}

    package var perProject: Int { places(percent: projectPercent) }
    package var perKey: Int { places(percent: keyPercent) }
    package var perNetwork: Int { places(percent: networkPercent) }

    /// At least one: a share that rounds down to zero would shut out all devices. A share of 100 percent sets
    /// no limit of its own.
    private func places(percent: Int) -> Int { percent < 100 ? max(1, streams * percent / 100) : .max }
}

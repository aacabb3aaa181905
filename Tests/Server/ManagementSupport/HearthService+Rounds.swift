import HearthIdentity

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthRouting
@testable import HearthServing

/// What a server does at its start and from time to time, done now.
extension HearthService {
    convenience init(_ services: TestServices, log: @escaping @Sendable (String) -> Void = { _ in }) {
        self.init(services.base, services.metadata, services.managing, log: log)
    }

    func beginServing() throws { _ = try devices.context.serving.current() }
    func beginClock() throws -> [String] { try devices.context.clockKeeper.begin() }
    func tickClock(isLast: Bool = false) -> [String] { devices.tickClock(isLast: isLast) }
    func refreshServing() throws -> [OperatorMessage] { try devices.outages.refresh() }

    /// - Parameter isLast: all that waits.
    func writeAdoption(isLast: Bool = false) throws {
        guard isLast else { return try devices.writeAdoption() }
        try devices.adoption.writeAll(nowMicroseconds: devices.context.nowMicroseconds)
    }

    func writeForOtherServers() throws {
        let now = devices.context.monotonicMicroseconds
        try management.openRehearsals?.writeIfDue(monotonicMicroseconds: now)
        try devices.recentCalls.writeIfDue(monotonicMicroseconds: now)
    }

    func beginRollouts() throws -> [String] { try management.rollouts.begin() }
    func checkRollouts(isLast: Bool = false) throws -> [String] { try management.rollouts.check(isLast: isLast) }
    func endDecidedExperiments() throws -> [String] { try management.experiments.endDecided() }
    func startRehearsals() throws { try management.rehearsals.start() }

    var limiter: RateLimiters { devices.limiter }
    var updateStreamCount: Int { devices.updateStreamCount }
    var consoleAccess: ConsoleAccess { management.consoleAccess }
}

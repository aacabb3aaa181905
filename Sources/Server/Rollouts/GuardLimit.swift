package import HearthCatalog

/// When a guard stops a rollout, and when it has seen enough to let it continue.
///
/// A guard stops a rollout only when two tests agree, each with the guard's error rate: the version does worse than the
/// baseline, and it does worse than `tolerated`. So a difference that is real but too small to matter stops nothing.
package struct GuardLimit: Sendable, Hashable, Codable {
    /// The chance that the guard ever stops a sound version, over all looks and stages together.
    package var errorRate: Double
    /// The share of the devices that may fail, 0 to 1; for `runTime` the ratio of times that is accepted.
    package var tolerated: Double
    /// The additional share of failing devices that the guard must not miss; for `runTime` the ratio of times.
    package var harmful: Double

    package init(errorRate: Double, tolerated: Double, harmful: Double) {
        self.errorRate = errorRate
        self.tolerated = tolerated
        self.harmful = harmful
    }

    /// The chance that a rollout continues although the version does exactly as much harm as `harmful` says.
    package static let missRate = 0.005

    /// Together at most 1 % of the rollouts of sound versions are stopped. Crashes are rare, and devices that return
    /// without the version show late, so their guards get the largest parts.
    package static func standard(_ guarded: Guard) -> GuardLimit {
        switch guarded {
        case .returnedWithout: GuardLimit(errorRate: 0.003, tolerated: 0.001, harmful: 0.01)
        case .loadFailures, .failedRuns: GuardLimit(errorRate: 0.001, tolerated: 0.001, harmful: 0.02)
        case .crashes: GuardLimit(errorRate: 0.004, tolerated: 0.0002, harmful: 0.005)
        case .runTime: GuardLimit(errorRate: 0.001, tolerated: 1.1, harmful: 1.3)
        }
    }
}

/// What a guard says about a rollout so far.
package enum GuardVerdict: String, Sendable, Hashable, Codable {
    /// The version does harm; the rollout must stop.
    case violated
    /// Harm of the size that matters is ruled out.
    case satisfied
    /// Too few devices to say.
    case undecided
}

/// Which version the draw gave a device.
package enum Arm: Int, Sendable, Hashable, CaseIterable, Codable {
    case version = 0
    case baseline = 1
}

package import HearthCatalog

/// What a guard has found so far.
package struct GuardFinding: Sendable, Hashable {
    package var guarded: Guard
    package var verdict: GuardVerdict
    /// The version's devices that it has judged.
    package var counted: Int
    /// The version's devices that it can judge at the present share, as far as is known.
    package var expected: Double
    /// Whether so many devices may yet turn out to have failed that the guard could stop the rollout.
    package var isPending: Bool
    /// Devices that it has seen, by arm.
    package var devices: [Int]
    /// Devices that failed, by arm; empty for `runTime`.
    package var failed: [Int] = []
    /// The version's devices that may turn out to have failed.
    package var pending = 0
    /// How many of the version's devices must be judged to rule harm out if none of them fails any more. Nil if the guard
    /// has decided, if so many cannot be, and for `runTime`.
    package var needed: Int?
    /// The logarithm of the evidence against harm of the stated size or more: `log(1 / GuardLimit.missRate)` rules it out.
    package var logEvidenceAgainstHarm = 0.0
    /// Devices of the version's arm that failed, with whatever version.
    package var failedInArm = 0
    /// Whether what was seen is twenty times as likely if the version does that harm than if it does none.
    package var speaksForHarm = false
    /// For `runTime`: the ratio of the times.
    package var ratio: Double?
    /// For `runTime`: its always-valid interval; nil with too few devices.
    package var ratioInterval: ClosedRange<Double>?

    package init(
        guarded: Guard, verdict: GuardVerdict, counted: Int, expected: Double, isPending: Bool = false,
        devices: [Int], failed: [Int] = [], pending: Int = 0, needed: Int? = nil, ratio: Double? = nil,
        ratioInterval: ClosedRange<Double>? = nil
    ) {
        self.guarded = guarded
        self.verdict = verdict
        self.counted = counted
        self.expected = expected
        self.isPending = isPending
        self.devices = devices
        self.failed = failed
        self.pending = pending
        self.needed = needed
        self.ratio = ratio
        self.ratioInterval = ratioInterval
    }

    /// The always-valid interval of the share of the devices in that arm that fail; nil for `runTime`. Takes a tenth of a
    /// millisecond.
    ///
    /// - Parameter errorRate: the chance that the true share is ever outside.
    package func rateInterval(_ arm: Arm, errorRate: Double) -> ClosedRange<Double>? {
        guard !failed.isEmpty else { return nil }
        let failures = failed[arm.rawValue]
        let seen = max(devices[arm.rawValue], failures)
        let low = RateInterval.lower(failed: failures, of: seen, errorRate: errorRate / 2)
        // Devices of the baseline are compared over the same time, so those that were seen count.
        let late = arm == .version ? pending : 0
        let judged = arm == .version ? max(counted, failures + late) : seen
        let high = RateInterval.upper(failed: failures + late, of: judged, errorRate: errorRate / 2)
        return min(low, high)...high
    }
}

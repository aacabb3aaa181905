import HearthCalls
import HearthCatalog
import HearthDevicePlane
import HearthRollouts
import HearthRouting
import HearthWire

/// How the guards of a release look on the wire.
enum GuardingPresentation {
    /// - Parameter releases: all of the model.
    static func status(
        _ release: Release, among releases: [Release], _ rollouts: RolloutWatches, nowMicroseconds now: Int64
    ) -> ReleaseBodies.GuardingStatus? {
        guard let guarding = release.guarding else { return nil }
        let isOpen = RolloutStatus.isPartial(release, nowMicroseconds: now)
        let hasFallback = releases.contains { $0.number < release.number && $0.endedMicroseconds == nil }
        let reason = hasFallback ? rollouts.hasPlace(for: release) ? nil : "too-many" : "nothing-below"
        let unwatched = isOpen && !guarding.guards.isEmpty ? reason : nil
        let isUnwatched = unwatched != nil
        let status = RolloutStatus(of: release, rollouts.watch(of: release), atSeconds: rollouts.seconds)
        let devices = isOpen && !isUnwatched ? status.devices : nil
        return ReleaseBodies.GuardingStatus(
            plan: guarding.plan.isEmpty ? nil : guarding.plan.map(share), holdSeconds: Int(guarding.holdSeconds),
            onHarm: guarding.response.rawValue, watchedBy: isOpen ? isUnwatched ? [] : watchedBy(status) : nil,
            unwatched: unwatched,
            reportingShare: devices?.survey.reportingShare, devices: devices.map(body),
            guards: Guard.allCases.map { state($0, status, isOpen: isOpen, isUnwatched: isUnwatched, guarding) },
            stop: guarding.stop.map {
                ReleaseBodies.GuardStop(
                    name: $0.guarded.rawValue, time: WireTime.text($0.atMicroseconds), reason: $0.reason)
            })
    }

    private static func body(_ devices: RolloutStatus.Devices) -> ReleaseBodies.WatchedDevices {
        ReleaseBodies.WatchedDevices(
            since: WireTime.text(devices.sinceSeconds * 1_000_000), takingPart: counts(devices.survey.devices),
            comparedShare: devices.comparedShare, namedOther: devices.counts.namedOther,
            outsideSample: devices.counts.outsideSample, left: devices.counts.left, taken: devices.survey.taken,
            neverTaken: devices.survey.neverTaken, rejected: devices.survey.rejected,
            lackingStorage: devices.survey.lackingStorage)
    }

    private static func watchedBy(_ status: RolloutStatus) -> [String] {
        let on = status.on
        return (on.contains(.returnedWithout) ? ["returns"] : [])
            + (on.contains { $0 != .returnedWithout } ? ["reports"] : [])
    }

    private static func state(
        _ guarded: Guard, _ status: RolloutStatus, isOpen: Bool, isUnwatched: Bool, _ guarding: ReleaseGuarding
    ) -> ReleaseBodies.GuardState {
        let name = guarded.rawValue
        if guarding.off.contains(guarded) { return ReleaseBodies.GuardState(name: name, state: "off") }
        let stopped = guarding.stop?.guarded == guarded ? GuardVerdict.violated.rawValue : nil
        let rule = GuardLimit.standard(guarded)
        let limit = ReleaseBodies.GuardLimit(
            tolerated: rule.tolerated, harmful: rule.harmful, errorRate: rule.errorRate)
        if isUnwatched { return ReleaseBodies.GuardState(name: name, state: stopped ?? "unwatched", limit: limit) }
        guard isOpen, let finding = status.findings.first(where: { $0.guarded == guarded }) else {
            return ReleaseBodies.GuardState(
                name: name, state: stopped ?? (isOpen && status.waiting.contains(guarded) ? "waiting" : "undecided"),
                limit: limit,
                lacks: isOpen && stopped == nil && status.devices == nil
                    ? "no server has looked yet, which takes a few seconds; ask again" : nil)
        }
        return ReleaseBodies.GuardState(
            name: name, state: stopped ?? finding.verdict.rawValue, devices: counts(finding.devices),
            failed: finding.failed.isEmpty ? nil : counts(finding.failed), ratio: finding.ratio,
            rateIntervals: rateIntervals(finding, errorRate: rule.errorRate),
            ratioInterval: finding.ratioInterval.map(bounds), limit: limit,
            lacks: stopped == nil ? status.lack(of: finding) : nil)
    }

    private static func rateIntervals(
        _ finding: GuardFinding, errorRate: Double
    ) -> ReleaseBodies.GuardRateIntervals? {
        guard let version = finding.rateInterval(.version, errorRate: errorRate),
            let baseline = finding.rateInterval(.baseline, errorRate: errorRate)
        else { return nil }
        return ReleaseBodies.GuardRateIntervals(version: bounds(version), below: bounds(baseline))
    }

    private static func bounds(_ interval: ClosedRange<Double>) -> [Double] {
        [interval.lowerBound, interval.upperBound]
    }

    private static func counts(_ byArm: [Int]) -> ReleaseBodies.GuardCounts {
        ReleaseBodies.GuardCounts(version: byArm[Arm.version.rawValue], below: byArm[Arm.baseline.rawValue])
    }

    private static func share(_ millionths: Int) -> Double { Double(millionths) / Double(Release.fullShare) }
}

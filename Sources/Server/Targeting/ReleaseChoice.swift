public import HearthCatalog
import HearthWire

/// Which of a model's releases a device gets.
public enum ReleaseChoice {
    /// The newest of `releases` whose audience the device is in and whose share holds it; nil for none.
    ///
    /// A paused release holds only devices that have its version already. Each release draws its share of the installations
    /// anew, and a device stays in a share that grows. Cheap: without a partial release on top, nothing is allocated.
    ///
    /// - Parameter releases: of one model, not ended, newest first.
    public static func choose(
        _ releases: [TargetedRelease], for device: DeviceFacts, nowMicroseconds: Int64
    ) -> ServedRelease? {
        // Made where a release asks something of the device only; all of them share what may be done for it.
        var subject: ConditionSubject?
        return releases.first { holds($0, device, nowMicroseconds, &subject) }?.served
    }

    private static func holds(
        _ targeted: TargetedRelease, _ device: DeviceFacts, _ now: Int64, _ subject: inout ConditionSubject?
    ) -> Bool {
        let served = targeted.served
        if served.isForEverybody { return true }
        let release = served.release
        if release.pausedMicroseconds != nil, device.knownHash != served.sha256 { return false }
        guard release.audience.isEverybody || includes(device, targeted, now, &subject) else { return false }
        let share = EffectiveShare.share(of: release, nowMicroseconds: now)
        if share >= Release.wholeShare { return true }
        return share > 0 && ShareBucket.bucket(of: device.installationID, in: release) < share
    }

    private static func includes(
        _ device: DeviceFacts, _ targeted: TargetedRelease, _ now: Int64, _ subject: inout ConditionSubject?
    ) -> Bool {
        guard AudienceMatch.includes(device, in: targeted.served.release.audience) else { return false }
        guard targeted.condition != nil else { return true }
        var asked =
            subject
            ?? ConditionSubject(device, nowMicroseconds: now, limitSteps: ConditionLimits.modelSteps)
        defer { subject = asked }
        return targeted.isMet(by: &asked)
    }
}

package import HearthCatalog
import HearthCrypto
import HearthWire

/// Chooses which of a model's releases a device gets.
package enum ReleaseChoice {
    /// The newest of `releases` whose audience and share include the device; nil if there is none.
    ///
    /// A paused release includes only devices that already have its version. Each release draws its share of the
    /// installations independently, and a device stays in a share that grows. Cheap: without a partial release, nothing
    /// is allocated.
    ///
    /// - Parameter releases: the active releases of one model, newest first.
    package static func choose(
        _ releases: [TargetedRelease], for device: DeviceFacts, nowMicroseconds: Int64
    ) -> ServedRelease? {
        // Created only if a release has a condition. All releases share its steps.
        var subject: EvaluationContext?
        return releases.first { verdict(of: $0, device, nowMicroseconds, &subject).isIncluded }?.served
    }

    /// What decides which of the releases the device gets: the release that `choose` returns, and the newer ones before
    /// it; all if it returns none.
    ///
    /// - Parameter releases: the active releases of one model, newest first.
    package static func explain(
        _ releases: [TargetedRelease], for device: DeviceFacts, nowMicroseconds: Int64
    ) -> [ReleaseFinding] {
        var subject: EvaluationContext?
        var findings: [ReleaseFinding] = []
        for release in releases {
            let verdict = verdict(of: release, device, nowMicroseconds, &subject)
            findings.append(ReleaseFinding(release: release.served.release, verdict: verdict))
            if verdict.isIncluded { break }
        }
        return findings
    }

    private static func verdict(
        of targeted: TargetedRelease, _ device: DeviceFacts, _ now: Int64, _ subject: inout EvaluationContext?
    ) -> ReleaseVerdict {
        let served = targeted.served
        if served.isForEverybody { return .included(number: nil) }
        let release = served.release
        if release.pausedMicroseconds != nil, device.knownHash != served.sha256 { return .paused }
        if !release.audience.isEverybody, let missed = missedTerm(device, targeted, now, &subject) {
            return .audience(missed)
        }
        let share = EffectiveShare.share(of: release, nowMicroseconds: now)
        if share >= Release.fullShare { return .included(number: nil) }
        let number = ShareBucket.bucket(of: device.installationID, in: release)
        return number < share ? .included(number: number) : .share(number: number, share: share)
    }

    /// The part of the audience that the device does not match; nil if the audience includes it.
    private static func missedTerm(
        _ device: DeviceFacts, _ targeted: TargetedRelease, _ now: Int64, _ subject: inout EvaluationContext?
    ) -> AudienceTerm? {
        if let missed = AudienceMatch.missedTerm(device, in: targeted.served.release.audience) { return missed }
        guard targeted.condition != nil else { return nil }
        var asked =
            subject
            ?? EvaluationContext(device, nowMicroseconds: now, limitSteps: ConditionLimits.modelSteps)
        defer { subject = asked }
        return targeted.isMet(by: &asked) ? nil : .condition
    }
}

/// A release that devices may get, with its condition parsed once for all calls. Immutable; safe to use from any
/// thread.
package final class TargetedRelease: Sendable {
    package let served: ServedRelease
    /// Nil if the audience has no condition.
    package let condition: LazyCondition?

    /// - Parameter condition: that of the release's audience, if there is one.
    package init(_ served: ServedRelease, condition: LazyCondition?) {
        self.served = served
        self.condition = condition
    }

    /// Whether the device meets the condition, if there is one. No device meets a damaged condition, so devices get the
    /// fallback release.
    func isMet(by subject: inout EvaluationContext) -> Bool {
        guard let condition else { return true }
        return condition.condition?.holds(for: &subject) ?? false
    }
}

/// The position of an installation in the order in which a release's share grows.
enum ShareBucket {
    /// 0 to 999,999: the first eight bytes of the SHA-256 of `model/release/installation`, big-endian, modulo a
    /// million. A release includes the installations whose bucket is below its share.
    static func bucket(of installationID: String, in release: Release) -> Int {
        let digest = SHA256Hasher.hash("\(release.modelID)/\(release.number)/\(installationID)".utf8)
        let number = digest.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number % UInt64(Release.fullShare))
    }
}

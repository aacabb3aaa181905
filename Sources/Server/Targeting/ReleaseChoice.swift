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
        _ releases: [ServedRelease], for device: DeviceFacts, nowMicroseconds: Int64
    ) -> ServedRelease? {
        releases.first { holds($0, device, nowMicroseconds) }
    }

    private static func holds(_ served: ServedRelease, _ device: DeviceFacts, _ now: Int64) -> Bool {
        if served.isForEverybody { return true }
        let release = served.release
        if release.pausedMicroseconds != nil, device.knownHash != served.sha256 { return false }
        guard release.audience.isEverybody || AudienceMatch.includes(device, in: release.audience) else { return false }
        let share = EffectiveShare.share(of: release, nowMicroseconds: now)
        if share >= Release.wholeShare { return true }
        return share > 0 && ShareBucket.bucket(of: device.installationID, in: release) < share
    }
}

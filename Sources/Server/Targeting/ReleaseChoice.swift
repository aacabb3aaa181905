public import HearthCatalog
import HearthWire

/// Which of a model's releases a device gets.
public enum ReleaseChoice {
    /// The newest of `releases` whose audience the device is in and whose share holds it; nil for none.
    ///
    /// - Parameter releases: of one model, not ended, newest first.
    public static func choose(
        _ releases: [ServedRelease], for device: DeviceFacts, nowMicroseconds: Int64
    ) -> ServedRelease? {
        releases.first { $0.release.shareMillionths == Release.wholeShare && $0.release.audience.isEverybody }
    }
}

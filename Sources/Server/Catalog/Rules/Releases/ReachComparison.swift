import HearthWire

/// Whether a changed release reaches devices that it did not reach before, or reaches them sooner. The model's contract
/// check applies to such changes.
enum ReachComparison {
    static func grows(from old: Release, to new: Release, nowMicroseconds: Int64) -> Bool {
        guard AudienceValidator.isWithin(new.audience, old.audience) else { return true }
        // A plan reaches its last share without another check.
        let reach = max(share(of: old, at: nowMicroseconds), old.guarding?.plan.last ?? 0)
        if let last = new.guarding?.plan.last, last > reach { return true }
        let clock = EffectiveShare.clock(of: old, nowMicroseconds: nowMicroseconds)
        let steps = (old.stages + new.stages).map(\.atMicroseconds).filter { $0 > clock }
        return ([clock] + steps).contains { share(of: new, at: $0) > share(of: old, at: $0) }
    }

    /// The share as if the release were not paused, because it may be resumed.
    private static func share(of release: Release, at microseconds: Int64) -> Int {
        var release = release
        release.pausedMicroseconds = nil
        return EffectiveShare.share(of: release, nowMicroseconds: microseconds)
    }
}

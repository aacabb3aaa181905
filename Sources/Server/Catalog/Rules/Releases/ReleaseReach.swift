/// Whether a changed release comes to devices that it did not come to, or not so soon: what the model's contract check is
/// about.
enum ReleaseReach {
    static func grows(from old: Release, to new: Release, nowMicroseconds: Int64) -> Bool {
        guard AudienceForm.isWithin(new.audience, old.audience) else { return true }
        let clock = EffectiveShare.clock(of: old, nowMicroseconds: nowMicroseconds)
        let steps = (old.stages + new.stages).map(\.atMicroseconds).filter { $0 > clock }
        return ([clock] + steps).contains { share(of: new, at: $0) > share(of: old, at: $0) }
    }

    /// As if it were not paused, since it may go on.
    private static func share(of release: Release, at microseconds: Int64) -> Int {
        var release = release
        release.pausedMicroseconds = nil
        return EffectiveShare.share(of: release, nowMicroseconds: microseconds)
    }
}

import HearthCatalog
import HearthWire
import Testing

@Suite("Effective share") struct EffectiveShareTests {
    private func release(
        share: Int = 10, stages: [(Int64, Int)] = [(100, 20), (200, 1_000_000)], pausedAt: Int64? = nil,
        endedAt: Int64? = nil
    ) -> Release {
        Release(
            modelID: 1, number: 1, version: 1, kind: .rollout, shareMillionths: share,
            stages: stages.map { .init(atMicroseconds: $0.0, shareMillionths: $0.1) }, pausedMicroseconds: pausedAt,
            endedMicroseconds: endedAt, createdMicroseconds: 50, createdBy: "ann")
    }

    @Test(
        "The share is that of the last stage reached",
        arguments: [
            (Int64.min, 10), (0, 10), (99, 10), (100, 20), (199, 20), (200, 1_000_000), (Int64.max, 1_000_000),
        ])
    func stages(now: Int64, share: Int) {
        #expect(EffectiveShare.share(of: release(), nowMicroseconds: now) == share)
        #expect(EffectiveShare.isFull(release(), nowMicroseconds: now) == (share == 1_000_000))
    }

    @Test("While paused, the clock stands still", arguments: [(Int64(99), 10), (150, 20), (1000, 20)])
    func paused(now: Int64, share: Int) {
        #expect(EffectiveShare.share(of: release(pausedAt: 150), nowMicroseconds: now) == share)
    }

    @Test("An ended release has the share that it had at its end")
    func ended() {
        #expect(EffectiveShare.share(of: release(endedAt: 150), nowMicroseconds: 1000) == 20)
    }

    @Test("Without stages, the share is the share")
    func noStages() {
        #expect(EffectiveShare.share(of: release(share: 7, stages: []), nowMicroseconds: 9) == 7)
    }

    @Test("Paused and ended releases, and those for an audience, are not full")
    func notFull() {
        var swiss = release(share: 1_000_000, stages: [])
        #expect(EffectiveShare.isFull(swiss, nowMicroseconds: 0))
        swiss.audience.countries = ["CH"]
        #expect(!EffectiveShare.isFull(swiss, nowMicroseconds: 0))
        #expect(!EffectiveShare.isFull(release(pausedAt: 300), nowMicroseconds: 400))
        #expect(!EffectiveShare.isFull(release(endedAt: 300), nowMicroseconds: 400))
    }
}

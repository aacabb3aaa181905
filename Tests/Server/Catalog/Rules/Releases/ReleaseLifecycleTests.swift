import HearthCatalog
import HearthWire
import Testing

@Suite("Release lifecycle: new releases") struct ReleaseLifecycleTests {
    /// Version 1 is released to all, 2 and 3 are there.
    private func flowers() throws -> StoredModel {
        var model = try StoredModel(.init(displayName: "flowers", published: true, upload: try Sample.upload()))
        try model.push("bb")
        try model.push("cc")
        return model
    }

    private static let swiss: Audience = {
        var audience = Audience()
        audience.countries = ["CH"]
        return audience
    }()

    private static func tag(_ number: Int) -> Audience {
        var audience = Audience()
        audience.tags = ["t\(number)"]
        return audience
    }

    @Test("A full release ends those before it and is what every device may get")
    func full() throws {
        var model = try flowers()
        try model.release(version: 2, share: 1000)
        let change = try model.release(version: 3)
        let release = try #require(change.newReleases.first)
        #expect(release.kind == .publish && release.number == 3 && release.version == 3)
        #expect(release.createdBy == "bob@example.test" && release.createdMicroseconds == Sample.later)
        #expect(model.underWay == [3] && model.model.releasedVersion == 3)
        #expect(change.actions == ["release.publish"])
        #expect(change.audit[0].detail == "release 3, version 3, 100 %, everybody; ended releases 2, 1")
        #expect(try model.release(1).endedMicroseconds == Sample.later)
    }

    @Test("A release to some lies on top of the others, and says in the log to whom")
    func partial() throws {
        var model = try flowers()
        let change = try model.release(
            version: 2, share: 12_500, stages: [.init(atMicroseconds: 86_400_000_000, shareMillionths: 500_000)],
            audience: Self.swiss)
        #expect(change.newReleases[0].kind == .rollout)
        #expect(model.underWay == [2, 1] && model.model.releasedVersion == 1)
        #expect(change.actions == ["release.rollout"])
        #expect(
            change.audit[0].detail == "release 2, version 2, 1.25 %, 50 % from 1970-01-02T00:00:00Z, country CH")
    }

    @Test("A release for an audience alone publishes the model, and is no version for all")
    func onlyPartial() throws {
        var model = try StoredModel(.init(displayName: "flowers", upload: try Sample.upload()))
        try model.release(version: 1, audience: Self.swiss)
        #expect(model.model.isPublished && model.model.releasedVersion == nil)
        #expect(try model.release(1).kind == .rollout)
        try model.apply { try ReleaseLifecycle.end($0, release: 1, context: $1) }
        #expect(!model.model.isPublished)
        #expect(model.last.audit[0].detail == "release 1, version 1; nothing is released any more")
    }

    @Test("An older version can be released too")
    func older() throws {
        var model = try flowers()
        try model.release(version: 3)
        try model.release(version: 2, share: 1)
        try model.release(version: 2)
        #expect(model.model.releasedVersion == 2)
    }

    @Test("Malformed versions and those of other models are refused")
    func notReleasable() throws {
        var model = try flowers()
        try model.push("dd", verdict: Sample.malformed)
        let malformed = CatalogError(
            .failedPrecondition,
            "Version 4 is malformed and cannot be released: The file ends in the middle of a table.")
        #expect(throws: malformed) { try model.release(version: 4, share: 1) }
        let known = try model.version(4)
        #expect(throws: malformed) {
            try model.apply { try ReleaseLifecycle.rollback($0, to: known, context: $1) }
        }
        var foreign = try model.version(2)
        foreign.version.modelID = 2
        let refusal = CatalogError(.notFound, "The model 'flowers' has no version 2.")
        #expect(throws: refusal) {
            try model.apply { [foreign] in try ReleaseLifecycle.release($0, foreign, context: $1) }
        }
    }

    @Test("At most 16 releases are under way; a full one is always possible")
    func tooMany() throws {
        var model = try flowers()
        for number in 2...16 { try model.release(version: 2, share: 1, audience: Self.tag(number)) }
        let refusal = CatalogError(
            .failedPrecondition,
            "This model already has 16 open releases, which is the maximum; stop one of them first.")
        #expect(throws: refusal) { try model.release(version: 2, share: 1, audience: Self.tag(17)) }
        try model.apply { try ReleaseLifecycle.end($0, release: 9, context: $1) }
        try model.release(version: 2, share: 1, audience: Self.tag(17))
        try model.release(version: 3)
        #expect(model.underWay == [18])
    }

    @Test("Two draws of the same version for the same devices would add up: the second is refused")
    func twin() throws {
        var model = try flowers()
        try model.release(version: 2, share: 1000, audience: Self.swiss)
        let refusal = CatalogError(
            .failedPrecondition,
            "Release 2 gives version 2 to the same devices already; change that one ('hearth releases set') or stop it."
        )
        #expect(try model.release(version: 2, share: 1000, audience: Self.swiss).existingRelease == 2)
        for share in [1001, 5, Release.fullShare] {
            #expect(throws: refusal) { try model.release(version: 2, share: share, audience: Self.swiss) }
        }
        try model.apply { try ReleaseLifecycle.pause($0, release: 2, context: $1) }
        #expect(throws: refusal) { try model.release(version: 2, share: 1000, audience: Self.swiss) }
        try model.release(version: 2, share: 1000)
        try model.release(version: 3, share: 1000, audience: Self.swiss)
        try model.apply { try ReleaseLifecycle.end($0, release: 2, context: $1) }
        try model.release(version: 2, share: 1000, audience: Self.swiss)
        try model.release(version: 2)
        #expect(model.underWay == [6])
    }

    @Test("A version that all devices get already is rolled out to some of them by changing nothing")
    func someOfAll() throws {
        var model = try flowers()
        let soon = Release.Stage(atMicroseconds: model.now + 1_000_000, shareMillionths: 500_000)
        for (share, stages, audience) in [(100_000, [], Audience()), (0, [soon], Audience()), (1000, [], Self.swiss)] {
            let change = try model.release(version: 1, share: share, stages: stages, audience: audience)
            #expect(change.existingRelease == 1 && change.isUnchanged && change.newReleases.isEmpty)
            #expect(change.warnings.count == 1)
            #expect(change.warnings.first?.hasPrefix("all devices get version 1 already, by release 1:") == true)
        }
        #expect(try model.release(version: 1).warnings == [], "to all is what was asked for")
        #expect(model.underWay == [1])
        // With another version on top, it would take that away from them.
        try model.release(version: 2, share: 500_000)
        #expect(try model.release(version: 1, share: 100_000).newReleases.count == 1)
        #expect(model.underWay == [3, 2, 1])
    }

    @Test("A full release that restates the present one changes nothing and names it")
    func restated() throws {
        var model = try flowers()
        let change = try model.release(version: 1)
        #expect(change.audit.isEmpty && change.newReleases.isEmpty && change.existingRelease == 1)
        try model.release(version: 2, share: 1)
        #expect(try model.release(version: 1).actions == ["release.publish"], "the rollout on top ends")
        #expect(model.underWay == [3])
        try model.update(.init(upload: try Sample.upload(sha256: "dd", verdict: .pending)))
        try model.release(version: 1)
        #expect(model.underWay == [4] && model.model.publishWhenValidated == nil, "the file that waits is withdrawn")
    }

    @Test("What a schedule has brought about is noted, and is no change of the call that asks for what is so already")
    func restatedAfterSchedule() throws {
        for isPublished in [true, false] {
            var model = try flowers()
            try model.release(
                version: 3, share: 0,
                stages: [.init(atMicroseconds: model.now + 5, shareMillionths: Release.fullShare)])
            model.now += 5
            let change = try isPublished ? model.update(.init(published: true)) : model.release(version: 3)
            #expect(change.actions == ["release.complete"] && change.isUnchanged && change.existingRelease == 2)
            #expect(try !model.release(version: 1).isUnchanged)
        }
    }

    @Test("A schedule that arrives at all devices ends those before it, from that moment on")
    func completion() throws {
        var model = try flowers()
        let day: Int64 = 86_400_000_000
        try model.release(
            version: 2, share: 0,
            stages: [
                .init(atMicroseconds: day, shareMillionths: 500_000),
                .init(atMicroseconds: 2 * day, shareMillionths: Release.fullShare),
            ])
        try model.release(version: 3, share: 10)
        model.now = 2 * day - 1
        #expect(try model.update(.init(tags: ["a"])).actions == ["model.tag"])
        model.now = 3 * day
        let change = try model.update(.init(tags: ["b"]))
        #expect(change.actions == ["release.complete", "model.tag"])
        #expect(change.audit[0].detail == "release 2, version 2, since 1970-01-03T00:00:00Z; ended release 1")
        #expect(model.model.releasedVersion == 2 && model.underWay == [3, 2])
        #expect(try model.release(1).endedMicroseconds == 2 * day)
        #expect(try model.update(.init(tags: ["c"])).actions == ["model.tag"], "once is enough")
    }

    @Test("Of two schedules that have arrived, the newer release stands, whichever came first", arguments: [1, 3])
    func twoCompletions(second: Int64) throws {
        var model = try flowers()
        let base: Int64 = 10_000_000
        for (version, at) in [(2, base + 2), (3, base + second)] {
            try model.release(
                version: version, share: 0, stages: [.init(atMicroseconds: at, shareMillionths: Release.fullShare)])
        }
        model.now = base + 9
        try model.update(.init(tags: ["t"]))
        #expect(model.underWay == [3] && model.model.releasedVersion == 3)
        #expect(try model.release(1).endedMicroseconds == base + min(2, second))
        #expect(try model.release(2).endedMicroseconds == base + second)
    }

    @Test("A first schedule that arrives makes its version the one for all")
    func firstCompletion() throws {
        var model = try StoredModel(.init(displayName: "flowers", upload: try Sample.upload()))
        try model.release(
            version: 1, share: 0, stages: [.init(atMicroseconds: 9_000_000, shareMillionths: Release.fullShare)])
        #expect(model.model.isPublished && model.model.releasedVersion == nil)
        model.now = 9_000_000
        #expect(try model.update(.init(tags: ["t"])).actions == ["release.complete", "model.tag"])
        #expect(model.model.releasedVersion == 1)
    }

    @Test("A schedule in the past counts as reached")
    func pastSchedule() throws {
        var model = try flowers()
        let change = try model.release(
            version: 2, share: 0, stages: [.init(atMicroseconds: 1, shareMillionths: Release.fullShare)])
        #expect(change.newReleases[0].kind == .publish)
        #expect(model.model.releasedVersion == 2 && model.underWay == [2])
    }
}

import HearthCatalog
import HearthWire
import Testing

@Suite("Release lifecycle: change, pause, resume, end") struct ReleaseChangeTests {
    private static let second: Int64 = 1_000_000

    /// Version 1 is released to all, version 2 to some as release 2.
    private func flowers(
        share: Int = 100_000, stages: [(Int64, Int)] = []
    ) throws -> StoredModel {
        var model = try StoredModel(.init(displayName: "flowers", published: true, upload: try Sample.upload()))
        try model.push("bb")
        try model.release(version: 2, share: share, stages: Self.stages(stages))
        return model
    }

    private static func stages(_ stages: [(Int64, Int)]) -> [Release.Stage] {
        stages.map { .init(atMicroseconds: $0.0 * second, shareMillionths: $0.1) }
    }

    private func change(
        _ model: inout StoredModel, share: Int? = nil, stages: [(Int64, Int)]? = nil, audience: Audience? = nil
    ) throws -> ModelLifecycle.Change {
        let known = try model.version(2)
        return try model.apply {
            try ReleaseLifecycle.change(
                $0, release: 2, of: known, share: share, stages: stages.map(Self.stages), audience: audience,
                context: $1)
        }
    }

    private func expectRefusal(
        _ message: String, _ code: CatalogError.Code = .failedPrecondition, _ body: () throws -> Void
    ) {
        #expect(throws: CatalogError(code, message), performing: body)
    }

    @Test("A share is raised and lowered by hand; the log has the old and the new one")
    func share() throws {
        var model = try flowers()
        let raised = try change(&model, share: 500_000)
        #expect(raised.actions == ["release.change"])
        #expect(raised.audit[0].detail == "release 2, version 2: share 10 % -> 50 %; guarded (pause), held 7200 s")
        #expect(raised.changedReleases.map(\.number) == [2] && model.underWay == [2, 1])
        #expect(try change(&model, share: 0).audit[0].detail == "release 2, version 2: share 50 % -> 0 %")
        #expect(try change(&model, share: 0).audit.isEmpty, "a second time is nothing")
    }

    @Test("Names that no device is known to say, and stages in the past, are taken with a word about them")
    func warnings() throws {
        var model = try flowers()
        var audience = Audience()
        audience.operatingSystems = ["windoze", "linux"]
        audience.languages = ["german", "de-CH", "gsw"]
        audience.countries = ["UK", "GB", "XX"]
        let words = try change(&model, audience: audience).warnings
        #expect(words.count == 4)
        #expect(words[0].contains("'windoze'; known are android, ios, linux"))
        #expect(words[1].contains("'german'; codes are those of ISO 639"))
        #expect(words[2] == "no country has the code 'UK'; devices there send GB")
        #expect(words[3].contains("'XX'; codes are those of ISO 3166-1"))
        #expect(try model.release(2).audience == audience)
        let past = model.now / Self.second - 1
        let late = try change(&model, share: 0, stages: [(past, 1000), (past + 100, 2000)]).warnings
        #expect(late.count == 1 && late[0].hasPrefix("the stage of 1970-01-01T00:00:01Z is in the past: its 0.1 %"))
        // It is known by now.
        #expect(try change(&model, share: 0, stages: [(past, 1000), (past + 200, 2000)]).warnings.isEmpty)
    }

    @Test("A share raised to the whole makes the release the one for all")
    func whole() throws {
        var model = try flowers()
        let whole = try change(&model, share: Release.fullShare)
        #expect(whole.audit[0].detail == "release 2, version 2: share 10 % -> 100 %; ended release 1")
        #expect(model.model.releasedVersion == 2 && model.underWay == [2])
        #expect(try change(&model, share: Release.fullShare).audit.isEmpty)
        expectRefusal("Release 2 reaches all devices and cannot be narrowed; roll back, or release another version.") {
            _ = try change(&model, share: 1)
        }
        expectRefusal("Release 2 reaches all devices and cannot be paused; roll back, or unpublish the model.") {
            try model.apply { try ReleaseLifecycle.pause($0, release: 2, context: $1) }
        }
    }

    @Test("An audience that opens to everybody makes the release the one for all")
    func audience() throws {
        var swiss = Audience()
        swiss.countries = ["CH"]
        var model = try flowers(share: Release.fullShare - 1)
        #expect(
            try change(&model, share: Release.fullShare, audience: swiss).audit[0].detail
                == "release 2, version 2: share 99.9999 % -> 100 %; audience everybody -> country CH")
        #expect(model.underWay == [2, 1])
        _ = try change(&model, audience: Audience())
        #expect(model.underWay == [2])
    }

    @Test("A given share ends the schedule; a given schedule goes on from the present share")
    func schedule() throws {
        var model = try flowers(stages: [(10, 200_000), (20, 400_000)])
        model.now = 15 * Self.second
        _ = try change(&model, stages: [(30, 300_000)])
        #expect(try model.release(2).shareMillionths == 200_000)
        #expect(try model.release(2).stages == Self.stages([(30, 300_000)]))
        expectRefusal(
            "A stage must not have a smaller share than the one before; stage 1 has 10 % after 20 %.", .invalidArgument
        ) {
            _ = try change(&model, stages: [(30, 100_000)])
        }
        _ = try change(&model, share: 250_000)
        #expect(try model.release(2).stages.isEmpty && model.release(2).shareMillionths == 250_000)
        _ = try change(&model, share: 0, stages: [(40, 1)])
        model.now = 50 * Self.second
        _ = try change(&model, stages: [])
        #expect(try model.release(2).shareMillionths == 1 && model.release(2).stages.isEmpty)
    }

    @Test("A schedule that was read, lengthened and sent back keeps its past")
    func lengthened() throws {
        var model = try flowers(stages: [(10, 200_000), (20, 400_000)])
        model.now = 15 * Self.second
        _ = try change(&model, stages: [(10, 200_000), (20, 400_000), (30, 500_000)])
        #expect(try model.release(2).shareMillionths == 100_000)
        #expect(try model.release(2).stages.count == 3)
    }

    @Test("A pause stops the clock: stages not reached come later by as long")
    func pause() throws {
        var model = try flowers(stages: [(10, 200_000), (20, 400_000), (30, Release.fullShare)])
        model.now = 15 * Self.second
        let paused = try model.apply { try ReleaseLifecycle.pause($0, release: 2, context: $1) }
        #expect(paused.actions == ["release.pause"] && paused.audit[0].detail == "release 2, version 2, at 20 %")
        #expect(try model.apply { try ReleaseLifecycle.pause($0, release: 2, context: $1) }.audit.isEmpty)
        model.now = 115 * Self.second
        let release = try model.release(2)
        #expect(EffectiveShare.share(of: release, nowMicroseconds: model.now) == 200_000)
        #expect(model.underWay == [2, 1])
        expectRefusal("Release 2 is paused; resume it before giving it new stages.") {
            _ = try change(&model, stages: [(200, 900_000)])
        }
        try model.apply { try ReleaseLifecycle.resume($0, release: 2, context: $1) }
        #expect(
            try model.release(2).stages == Self.stages([(10, 200_000), (120, 400_000), (130, Release.fullShare)]))
        #expect(try model.apply { try ReleaseLifecycle.resume($0, release: 2, context: $1) }.audit.isEmpty)
        model.now = 130 * Self.second
        #expect(try model.update(.init(tags: ["t"])).model.releasedVersion == 2)
    }

    @Test("A paused release is for nobody new, however large its share; it is full when it goes on")
    func pausedWhole() throws {
        var model = try flowers()
        try model.apply { try ReleaseLifecycle.pause($0, release: 2, context: $1) }
        _ = try change(&model, share: Release.fullShare)
        #expect(model.underWay == [2, 1] && model.model.releasedVersion == 1)
        let resumed = try model.apply { try ReleaseLifecycle.resume($0, release: 2, context: $1) }
        #expect(resumed.audit[0].detail == "release 2, version 2, 100 %; ended release 1")
        #expect(model.underWay == [2] && model.model.releasedVersion == 2)
    }

    @Test("A clock that went back does no harm")
    func clock() throws {
        var model = try flowers(stages: [(10, 200_000)])
        try model.apply { try ReleaseLifecycle.pause($0, release: 2, context: $1) }
        model.now = 0
        try model.apply { try ReleaseLifecycle.resume($0, release: 2, context: $1) }
        #expect(try model.release(2).stages == Self.stages([(10, 200_000)]))
    }

    @Test("Ending a release gives its devices the fallback release")
    func end() throws {
        var model = try flowers()
        try model.apply { try ReleaseLifecycle.end($0, release: 2, context: $1) }
        #expect(model.last.actions == ["release.end"] && model.underWay == [1] && model.model.releasedVersion == 1)
        #expect(try model.apply { try ReleaseLifecycle.end($0, release: 2, context: $1) }.audit.isEmpty)
    }

    @Test("A release that all devices get is not ended, with a rollout on top neither: nothing lies below it")
    func endOfAll() throws {
        var model = try flowers()
        let message =
            "Release 1 reaches all devices, and there is no older release to fall back to. To give them the version before: "
            + "hearth releases rollback flowers. To stop giving the model to devices: hearth models unpublish flowers."
        expectRefusal(message) { try model.apply { try ReleaseLifecycle.end($0, release: 1, context: $1) } }
        #expect(model.underWay == [2, 1])
    }

    @Test("What has ended changes no more, and what is not there is not found")
    func ended() throws {
        var model = try flowers()
        try model.apply { try ReleaseLifecycle.end($0, release: 2, context: $1) }
        expectRefusal("Release 2 has ended; make a new one instead.") { _ = try change(&model, share: 1) }
        expectRefusal("Release 2 has ended; make a new one instead.") {
            try model.apply { try ReleaseLifecycle.pause($0, release: 2, context: $1) }
        }
        expectRefusal("Release 2 has ended; make a new one instead.") {
            try model.apply { try ReleaseLifecycle.resume($0, release: 2, context: $1) }
        }
        for number in [0, 3, -1, Int.max] {
            expectRefusal("The model 'flowers' has no release \(number).", .notFound) {
                try model.apply { try ReleaseLifecycle.end($0, release: number, context: $1) }
            }
        }
    }
}

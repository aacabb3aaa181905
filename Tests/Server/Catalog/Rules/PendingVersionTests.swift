import HearthCatalog
import Testing

@Suite("Model lifecycle: versions that wait for their verdict") struct PendingVersionTests {
    private func waiting(published: Bool) throws -> StoredModel {
        var model = try StoredModel(.init(displayName: "flowers", published: published, upload: try Sample.upload()))
        try model.update(.init(published: true, upload: try Sample.upload(sha256: "bb", verdict: .pending)))
        return model
    }

    @Test("A version that was to be published is released when it has passed", arguments: [true, false])
    func passes(published: Bool) throws {
        var model = try waiting(published: published)
        #expect(model.last.actions == ["version.create", "model.publish.wait"])
        #expect(model.model.publishWhenValidated == 2)
        #expect(model.model.releasedVersion == (published ? 1 : nil), "devices keep what they have")
        #expect(try model.update(.init(published: true)).audit.isEmpty, "it waits already")

        let change = try #require(try model.applyVerdict(.ok, version: 2))
        #expect(change.actions == ["model.publish"])
        #expect(model.model.releasedVersion == 2 && model.model.publishWhenValidated == nil)
        #expect(model.underWay == [published ? 2 : 1])
        #expect(try model.applyVerdict(.ok, version: 2) == nil, "a second time is nothing")
    }

    @Test("A version that turns out malformed is not released, and devices keep what they have")
    func fails() throws {
        var model = try waiting(published: true)
        let change = try #require(try model.applyVerdict(Sample.malformed, version: 2))
        #expect(change.actions == ["model.publish.refused"])
        #expect(change.audit[0].detail == "version 2 is malformed")
        #expect(model.model.releasedVersion == 1 && model.model.publishWhenValidated == nil)
    }

    @Test("No verdict yet, or nobody who waits for one: nothing is to be done")
    func nothingToDo() throws {
        var model = try waiting(published: true)
        #expect(try model.applyVerdict(.pending, version: 2) == nil)
        var other = try StoredModel(.init(displayName: "trees", upload: try Sample.upload(verdict: .pending)))
        #expect(try other.applyVerdict(.ok, version: 1) == nil)
        #expect(!other.model.isPublished)
    }

    @Test("Unpublishing and rolling back withdraw what was still to be published")
    func withdrawn() throws {
        var model = try waiting(published: false)
        #expect(try model.update(.init(published: false)).actions == ["model.unpublish"])
        #expect(model.model.publishWhenValidated == nil)
        #expect(try model.applyVerdict(.ok, version: 2) == nil)

        var other = try waiting(published: true)
        let first = try other.version(1)
        try other.apply { try ReleaseLifecycle.rollback($0, to: first, context: $1) }
        #expect(other.model.publishWhenValidated == nil)
        #expect(try other.applyVerdict(.ok, version: 2) == nil)
        #expect(other.model.releasedVersion == 1)
    }

    @Test("A newer file takes the place of the one that waits", arguments: [true, false])
    func overtaken(published: Bool) throws {
        var model = try waiting(published: published)
        try model.update(.init(upload: try Sample.upload(sha256: "cc", verdict: .pending)))
        #expect(model.model.publishWhenValidated == 3)
        #expect(try model.applyVerdict(.ok, version: 2) == nil)
        try model.applyVerdict(.ok, version: 3)
        #expect(model.model.releasedVersion == 3)
    }

    @Test(
        "A newer version that is not to be released leaves the one that waits to its verdict", arguments: [true, false])
    func notOvertaken(isSound: Bool) throws {
        var model = try waiting(published: false)
        try model.push("cc")
        let change = try #require(try model.applyVerdict(isSound ? .ok : Sample.malformed, version: 2))
        #expect(change.actions == [isSound ? "model.publish" : "model.publish.refused"])
        #expect(model.model.releasedVersion == (isSound ? 2 : nil) && model.model.publishWhenValidated == nil)
        #expect(model.model.newestVersion == 3)
    }

    @Test("A newer file that is broken at once leaves nothing waiting")
    func overtakenByMalformed() throws {
        var model = try waiting(published: true)
        try model.update(.init(upload: try Sample.upload(sha256: "cc", verdict: Sample.malformed)))
        #expect(model.last.actions == ["version.create", "model.publish.refused"])
        #expect(model.model.publishWhenValidated == nil && model.model.releasedVersion == 1)
    }

    @Test("A version that waits cannot be rolled out yet")
    func release() throws {
        var model = try waiting(published: true)
        let refusal = CatalogError(
            .failedPrecondition, "Version 2 is still being checked; try again when there is a verdict.")
        #expect(throws: refusal) { try model.release(version: 2, share: 1) }
    }
}

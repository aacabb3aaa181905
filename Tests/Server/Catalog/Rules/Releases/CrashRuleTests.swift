import HearthCatalog
import Testing

/// Versions that crashed the engine when the server ran them on zeros.
@Suite("Versions that crash the engine") struct CrashRuleTests {
    private static let refusal = CatalogError(
        .failedPrecondition,
        "Version 2 crashed the engine when the server ran it on zeros, and may do so in apps. It is not released. To release it "
            + "anyway: --allow-crashing ('allowCrashing' in a request to Hearth).")

    /// Version 1 is what all devices get, version 2 crashes.
    private func flowers() throws -> StoredModel {
        var model = try StoredModel(
            .init(displayName: "flowers", published: true, upload: try Sample.upload(sha256: "aa")))
        try model.push("bb", verdict: Sample.crashing)
        return model
    }

    @Test("Only a crash in the server's run counts, and no other lack")
    func verdicts() {
        #expect(Sample.crashing.isCrash && Sample.crashing.isPublishable)
        for verdict in [.ok, .pending, Sample.unsupported, Sample.malformed, .malformed(Verdict.crashText)] {
            #expect(!verdict.isCrash)
        }
    }

    @Test("Neither publishing, nor a rollout, nor going back to it releases one")
    func refused() throws {
        var model = try flowers()
        let known = try model.version(2)
        #expect(throws: Self.refusal) { try model.update(.init(published: true)) }
        #expect(throws: Self.refusal) { try model.release(version: 2) }
        #expect(throws: Self.refusal) { try model.release(version: 2, share: 1) }
        #expect(throws: Self.refusal) {
            try model.apply { try ReleaseLifecycle.rollback($0, to: known, context: $1) }
        }
        #expect(model.underWay == [1] && model.model.releasedVersion == 1)
    }

    @Test(
        "New bytes for a published model that crash become a version that is not released, and the caller is told why")
    func replacing() throws {
        var model = try StoredModel(.init(displayName: "flowers", published: true, upload: try Sample.upload()))
        let change = try model.update(.init(upload: try Sample.upload(sha256: "bb", verdict: Sample.crashing)))
        #expect(change.refusal == Self.refusal)
        #expect(change.newVersion?.number == 2 && change.newReleases.isEmpty)
        #expect(change.actions == ["version.create", "model.publish.refused"])
        #expect(change.audit.last?.detail == Self.refusal.message)
        #expect(model.model.releasedVersion == 1)
    }

    @Test("A version that was to be published when its check is done is not, where it crashes there")
    func waiting() throws {
        var model = try StoredModel(.init(displayName: "flowers", published: true, upload: try Sample.upload()))
        try model.update(.init(upload: try Sample.upload(sha256: "bb", verdict: .pending)))
        let change = try #require(try model.applyVerdict(Sample.crashing, version: 2))
        #expect(change.refusal == Self.refusal && change.newReleases.isEmpty)
        #expect(model.model.releasedVersion == 1 && model.model.publishWhenValidated == nil)
    }

    @Test("Whoever wants it all the same gets the release, and the audit tells of it")
    func allowed() throws {
        var model = try flowers()
        let change = try model.release(version: 2, share: 1000, allowCrashing: true)
        #expect(change.actions == ["release.rollout"])
        #expect(change.audit[0].detail.contains("although it crashed the engine here"))
        let known = try model.version(2)
        func widen(isAllowed: Bool) throws -> String {
            try model.apply {
                try ReleaseLifecycle.change(
                    $0, release: 2, of: known, share: 2000, allowCrashing: isAllowed, context: $1)
            }.audit[0].detail
        }
        #expect(throws: Self.refusal) { try widen(isAllowed: false) }
        #expect(try widen(isAllowed: true).contains("although it crashed the engine here"))
        let published = try model.update(.init(published: true, allowCrashing: true))
        #expect(published.audit[0].detail.contains("although it crashed the engine here"))
        #expect(model.model.releasedVersion == 2)
    }

    @Test("What is released stays so, can be narrowed, and can be gone back to where all devices had it")
    func released() throws {
        var model = try flowers()
        try model.release(version: 2, allowCrashing: true)
        #expect(try model.update(.init(published: true)).existingRelease == 2)
        try model.push("cc")
        try model.release(version: 3)
        try model.apply { try ReleaseLifecycle.rollback($0, context: $1) }
        #expect(model.model.releasedVersion == 2)

        var other = try flowers()
        try other.release(version: 2, share: 1000, allowCrashing: true)
        let known = try other.version(2)
        try other.apply { try ReleaseLifecycle.change($0, release: 2, of: known, share: 500, context: $1) }
        #expect(try other.release(2).shareMillionths == 500)
    }
}

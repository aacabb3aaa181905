import HearthCatalog
import HearthWire
import Testing

@Suite("Rehearsals: what a model requires before a release") struct RehearsalRuleTests {
    /// Version 1 at all devices, version 2 pushed.
    private func model(gate: String? = "agreement=50%", check: Model.RehearsalCheck = .refuse) throws -> StoredModel {
        var model = try StoredModel(
            .init(displayName: "flowers", published: true, upload: try Sample.upload(sha256: "one")))
        try model.push("two")
        try model.update(.init(rehearsalGate: gate, rehearsalCheck: check))
        return model
    }

    private func facts(agreeing: Int, set: String = "set", candidate: String = "two") throws -> RehearsalRule.Facts {
        var summary = RehearsalBodies.Summary()
        (summary.images, summary.compared, summary.agreeing) = (20, 20, agreeing)
        summary.baseline = RehearsalBodies.Totals()
        let record = RehearsalRecord(
            modelID: 1, candidateSHA256: candidate, baselineSHA256: "one", imageSet: set, candidateVersion: 2,
            baselineVersion: 1, summaryJSON: String(decoding: try WireJSON.encode(summary), as: UTF8.self),
            imagesJSON: "",
            createdMicroseconds: 0, createdBy: "")
        return .init(imageSet: "set", imageCount: 20, records: [record])
    }

    private func release(
        _ model: StoredModel, _ facts: RehearsalRule.Facts?, share: Int = Release.fullShare, allowed: Bool = false
    ) throws -> ModelLifecycle.Change {
        var state = model.state
        state.rehearsals = facts
        return try ReleaseLifecycle.release(
            state, model.version(2), share: share, allowFailedRehearsal: allowed, context: model.context)
    }

    @Test("A version is released if its rehearsal on the present images meets the gate, and refused otherwise")
    func refused() throws {
        let model = try model()
        #expect(try release(model, facts(agreeing: 10)).warnings.isEmpty)
        let cases: [(RehearsalRule.Facts?, String)] = [
            (try facts(agreeing: 9), "9 of 20 images"), (nil, "has no images"),
            (try facts(agreeing: 20, set: "earlier"), "was not rehearsed against version 1"),
            (try facts(agreeing: 20, candidate: "three"), "was not rehearsed against version 1"),
        ]
        for (facts, text) in cases {
            for share in [Release.fullShare, 100_000] {
                let error = #expect(throws: CatalogError.self) { try release(model, facts, share: share) }
                #expect(error?.code == .failedPrecondition)
                #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
                #expect(error?.message.contains("--allow-failed-rehearsal") == true)
            }
            let allowed = try release(model, facts, allowed: true)
            #expect(allowed.newReleases.map(\.version) == [2])
            #expect(allowed.warnings.contains { $0.contains(text) }, "what was allowed is still said")
        }
    }

    @Test("A model that only warns releases the version, and says what is wrong")
    func warned() throws {
        let change = try release(try model(check: .warn), try facts(agreeing: 9))
        #expect(change.newReleases.map(\.version) == [2])
        #expect(change.warnings.count == 1 && change.warnings[0].contains("9 of 20 images"))
    }

    @Test("Without requirements, and for the released version itself, nothing is required")
    func free() throws {
        #expect(try release(try model(gate: nil), nil).warnings.isEmpty)
        let model = try model()
        var state = model.state
        state.rehearsals = nil
        let again = try ReleaseLifecycle.release(state, model.version(1), context: model.context)
        #expect(again.isUnchanged)
    }

    @Test("New bytes for a published model are stored and not released")
    func newBytes() throws {
        let model = try model()
        let change = try ModelLifecycle.update(
            model.state, edit: .init(upload: try Sample.upload(sha256: "three")), isTaken: false, context: model.context
        )
        #expect(change.newVersion?.number == 3 && change.newReleases.isEmpty)
        #expect(change.refusal?.message.contains("rehearsal") == true)
    }

    @Test("A rollback to a version that all devices had is never refused")
    func rollback() throws {
        var model = try model(gate: nil)
        try model.release(version: 2)
        try model.update(.init(rehearsalGate: "agreement=100%", rehearsalCheck: .refuse))
        let back = try ReleaseLifecycle.rollback(model.state, to: model.version(1), context: model.context)
        #expect(back.newReleases.map(\.version) == [1])
    }

    @Test("The requirements are kept in one form, an empty text removes them, and a wrong one is refused")
    func settings() throws {
        var model = try model(gate: "accuracy=-1.0%, agreement=98%")
        #expect(model.model.rehearsalGate == "agreement=98%,accuracy=-1%")
        #expect(try model.update(.init(rehearsalGate: "agreement=98%,accuracy=-1%")).isUnchanged)
        #expect(throws: CatalogError.self) { try model.update(.init(rehearsalGate: "agreement=98")) }
        try model.update(.init(rehearsalGate: ""))
        #expect(model.model.rehearsalGate == nil)
        #expect(model.last.audit.map(\.action) == ["model.rehearsalGate"])
    }

    @Test("Names and answers at the limits, and one byte above them")
    func names() {
        let limits = RehearsalLimits()
        let accepted = ["a", "a/b.jpg", "ä ö.png", String(repeating: "a", count: 200), "..a", "a..b/c"]
        let refused = ["", "/a", "a/", "a//b", "../a", "a/./b", "a:b", "a\nb", String(repeating: "a", count: 201)]
        #expect(accepted.allSatisfy { limits.refusal(ofName: $0) == nil })
        #expect(refused.allSatisfy { limits.refusal(ofName: $0) != nil })
        #expect(limits.refusal(ofLabel: String(repeating: "a", count: 100)) == nil)
        #expect(["", "a\tb", String(repeating: "a", count: 101)].allSatisfy { limits.refusal(ofLabel: $0) != nil })
    }
}

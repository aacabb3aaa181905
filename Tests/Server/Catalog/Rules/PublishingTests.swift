import HearthCatalog
import Testing

@Suite("Model lifecycle: versions and releases") struct PublishingTests {
    static let notVerified = CatalogError(.failedPrecondition, "Cannot publish a model that is not verified.")

    /// A model after version 1 (published or not), and the change that a second file made.
    private func afterSecondFile(
        published: Bool, verdict: Verdict, publishAgain: Bool? = nil
    ) throws -> StoredModel {
        var model = try StoredModel(.init(displayName: "flowers", published: published, upload: try Sample.upload()))
        try model.update(.init(published: publishAgain, upload: try Sample.upload(sha256: "bb", verdict: verdict)))
        return model
    }

    @Test("A name alone cannot be published")
    func publishNothing() throws {
        var model = try StoredModel(.init(displayName: "flowers"))
        #expect(throws: Self.notVerified) { try model.update(.init(published: true)) }
        #expect(throws: Self.notVerified) { try StoredModel(.init(displayName: "flowers", published: true)) }
    }

    @Test("A malformed file is kept as a version and cannot be published")
    func publishMalformed() throws {
        let file = try Sample.upload(verdict: Sample.malformed)
        var model = try StoredModel(.init(displayName: "flowers", upload: file))
        #expect(model.last.newVersion?.number == 1 && model.model.newestVersion == 1)
        #expect(throws: Self.notVerified) { try model.update(.init(published: true)) }
        #expect(throws: Self.notVerified) {
            try StoredModel(.init(displayName: "flowers", published: true, upload: file))
        }
    }

    @Test("A file that only this engine cannot run is publishable")
    func publishUnsupported() throws {
        let file = try Sample.upload(verdict: Sample.unsupported)
        var model = try StoredModel(.init(displayName: "flowers", upload: file))
        #expect(try model.update(.init(published: true)).model.releasedVersion == 1)
    }

    @Test("Publishing and unpublishing are recorded, and doing either twice is nothing")
    func publishAndUnpublish() throws {
        var model = try StoredModel(.init(displayName: "flowers", upload: try Sample.upload()))
        let published = try model.update(.init(published: true))
        #expect(published.actions == ["model.publish"] && published.audit[0].detail == "version 1, release 1")
        #expect(model.model.isPublished && model.model.revision == 2)
        #expect(try model.update(.init(published: true)).audit.isEmpty)

        let withdrawn = try model.update(.init(published: false))
        #expect(withdrawn.actions == ["model.unpublish"] && withdrawn.audit[0].detail == "ended release 1")
        #expect(!model.model.isPublished && model.model.newestVersion == 1)
        #expect(try model.release(1).endedMicroseconds == Sample.later)
        #expect(try model.update(.init(published: false)).audit.isEmpty)
    }

    struct SecondFile: Sendable, CustomTestStringConvertible {
        var isPublished: Bool
        var verdict: Verdict
        /// What the same call says about publishing.
        var publishAgain: Bool?
        var released: Int?
        var actions: [String]

        var testDescription: String {
            "\(isPublished ? "published" : "private"), \(verdict), published: \(publishAgain.map(String.init) ?? "-")"
        }
    }

    @Test(
        "What devices get after a second file",
        arguments: [
            SecondFile(isPublished: false, verdict: .ok, released: nil, actions: ["version.create"]),
            SecondFile(isPublished: false, verdict: Sample.malformed, released: nil, actions: ["version.create"]),
            SecondFile(
                isPublished: false, verdict: .ok, publishAgain: true, released: 2,
                actions: ["version.create", "model.publish"]),
            SecondFile(
                isPublished: true, verdict: .ok, released: 2, actions: ["version.create", "model.publish"]),
            SecondFile(
                isPublished: true, verdict: Sample.unsupported, released: 2,
                actions: ["version.create", "model.publish"]),
            SecondFile(isPublished: true, verdict: Sample.malformed, released: 1, actions: ["version.create"]),
            SecondFile(
                isPublished: true, verdict: .ok, publishAgain: true, released: 2,
                actions: ["version.create", "model.publish"]),
            SecondFile(
                isPublished: true, verdict: Sample.malformed, publishAgain: true, released: 1,
                actions: ["version.create"]),
            SecondFile(
                isPublished: true, verdict: Sample.malformed, publishAgain: false, released: nil,
                actions: ["version.create", "model.unpublish"]),
        ])
    func secondFile(fact: SecondFile) throws {
        let model = try afterSecondFile(
            published: fact.isPublished, verdict: fact.verdict, publishAgain: fact.publishAgain)
        #expect(model.model.releasedVersion == fact.released)
        #expect(model.model.newestVersion == 2 && model.last.newVersion?.number == 2)
        #expect(model.last.actions == fact.actions)
        #expect(model.model.revision == 2)
    }

    @Test("A new malformed file on a private model is not publishable in the same call")
    func publishMalformedSecondFile() {
        #expect(throws: Self.notVerified) {
            try afterSecondFile(published: false, verdict: Sample.malformed, publishAgain: true)
        }
    }

    @Test("While the newest file is malformed, a plain publish is refused and devices keep what they have")
    func publishOverMalformed() throws {
        var model = try afterSecondFile(published: true, verdict: Sample.malformed)
        #expect(model.model.releasedVersion == 1)
        #expect(throws: Self.notVerified) { try model.update(.init(published: true)) }
    }

    @Test("The same file under its name makes no version; other bytes or another name do")
    func identicalFile() throws {
        var model = try StoredModel(.init(displayName: "flowers", upload: try Sample.upload()))
        let before = model.model
        let same = try model.update(.init(upload: try Sample.upload()))
        #expect(same.newVersion == nil && model.model == before)
        #expect(try model.update(.init(upload: try Sample.upload(sha256: "bb"))).newVersion?.number == 2)
        #expect(try model.update(.init(upload: try Sample.upload("b.tflite", sha256: "bb"))).newVersion?.number == 3)
    }

    @Test("An update that ends in a refusal gives no change at all")
    func refusalIsWhole() throws {
        var model = try StoredModel(.init(displayName: "flowers"))
        #expect(throws: Self.notVerified) {
            try model.update(.init(displayName: "trees", tags: ["t"], published: true))
        }
    }

    @Test("Only files that were looked at and are not malformed can be published")
    func verdicts() {
        #expect(Verdict.ok.isPublishable && Sample.unsupported.isPublishable)
        #expect(!Sample.malformed.isPublishable && !Verdict.pending.isPublishable)
    }

    @Test("A file may become a version of a published model without being released")
    func versionOnly() throws {
        var model = try StoredModel(.init(displayName: "flowers", published: true, upload: try Sample.upload()))
        try model.push("bb")
        #expect(model.model.newestVersion == 2 && model.model.releasedVersion == 1)
        try model.push("cc", verdict: .pending)
        #expect(model.model.publishWhenValidated == nil)
        #expect(try model.update(.init(published: true)).actions == ["model.publish.wait"])
    }

    @Test("Sending back a published model neither undoes a rollback nor cuts a rollout short")
    func restatement() throws {
        var model = try StoredModel(.init(displayName: "flowers", published: true, upload: try Sample.upload()))
        try model.push("bb")
        try model.release(version: 2, share: 1000)
        let whole = ModelLifecycle.Edit(
            displayName: "flowers", tags: ["new"], published: true, upload: try Sample.upload(sha256: "bb"),
            sendsWholeModel: true)
        #expect(try model.update(whole).actions == ["model.tag"])
        #expect(model.underWay == [2, 1])

        try model.apply { try ReleaseLifecycle.rollback($0, context: $1) }
        #expect(model.model.releasedVersion == 1)
        #expect(try model.update(whole).audit.isEmpty)
        #expect(model.model.releasedVersion == 1)
        // On purpose: the newest version is published.
        #expect(try model.update(.init(published: true)).model.releasedVersion == 2)
    }

    @Test("Sending back a model whose newest file is being checked does not release that file")
    func restatementDuringCheck() throws {
        var model = try StoredModel(.init(displayName: "flowers", published: true, upload: try Sample.upload()))
        try model.push("bb", verdict: .pending)
        let whole = ModelLifecycle.Edit(
            tags: ["new"], published: true, upload: try Sample.upload(sha256: "bb", verdict: .pending),
            sendsWholeModel: true)
        #expect(try model.update(whole).actions == ["model.tag"])
        #expect(model.model.publishWhenValidated == nil)
    }

    @Test("Publishing on purpose ends a rollout of the newest version: all devices get it", arguments: [false, true])
    func publishDuringRollout(withFile: Bool) throws {
        var model = try StoredModel(.init(displayName: "flowers", published: true, upload: try Sample.upload()))
        try model.push("bb")
        try model.release(version: 2, share: 1000)
        let edit = ModelLifecycle.Edit(published: true, upload: withFile ? try Sample.upload(sha256: "bb") : nil)
        #expect(try model.update(edit).audit.map(\.detail) == ["version 2, release 3; ended releases 2, 1"])
        #expect(model.model.releasedVersion == 2 && model.underWay == [3])
        #expect(try model.update(edit).audit.isEmpty)
    }

    @Test("Sending back a model with a new file releases the file, as scripts expect")
    func restatementWithFile() throws {
        var model = try StoredModel(.init(displayName: "flowers", published: true, upload: try Sample.upload()))
        try model.update(
            .init(published: true, upload: try Sample.upload(sha256: "bb"), sendsWholeModel: true))
        #expect(model.model.releasedVersion == 2)
    }
}

import HearthCatalog
import Testing

@Suite("Model lifecycle: versions and releases") struct PublishingTests {
    static let notVerified = CatalogError(.failedPrecondition, "Cannot publish a model that is not verified.")

    /// A model and its newest version after version 1 (published or not) took a second file.
    private func afterSecondFile(
        published: Bool, verdict: Verdict, publishAgain: Bool? = nil
    ) throws -> ModelLifecycle.Change {
        let first = try Sample.model(.init(displayName: "flowers", published: published, object: Sample.object()))
        return try Sample.update(
            first, .init(published: publishAgain, object: Sample.object(sha256: "bb", verdict: verdict)))
    }

    @Test("A name alone cannot be published")
    func publishNothing() throws {
        let model = try Sample.model(.init(displayName: "flowers"))
        #expect(throws: Self.notVerified) { try Sample.update(model, .init(published: true)) }
        #expect(throws: Self.notVerified) { try Sample.model(.init(displayName: "flowers", published: true)) }
    }

    @Test("A malformed file is kept as a version and cannot be published")
    func publishMalformed() throws {
        let object = Sample.object(verdict: Sample.malformed)
        let model = try Sample.model(.init(displayName: "flowers", object: object))
        #expect(model.newVersion?.verdict == Sample.malformed && model.model.newestVersion == 1)
        #expect(throws: Self.notVerified) { try Sample.update(model, .init(published: true)) }
        #expect(throws: Self.notVerified) {
            try Sample.model(.init(displayName: "flowers", published: true, object: object))
        }
    }

    @Test("The same file with a better verdict is a new version, which can be published")
    func secondOpinion() throws {
        let refused = Sample.object(verdict: Sample.malformed)
        let model = try Sample.model(.init(displayName: "flowers", object: refused))
        let again = try Sample.update(model, .init(published: true, object: Sample.object()))
        #expect(again.newVersion?.number == 2 && again.newVersion?.verdict == .ok)
        #expect(again.model.releasedVersion == 2)
    }

    @Test("A file that only this engine cannot run is publishable")
    func publishUnsupported() throws {
        let object = Sample.object(verdict: Sample.unsupported)
        let model = try Sample.model(.init(displayName: "flowers", object: object))
        #expect(try Sample.update(model, .init(published: true)).model.releasedVersion == 1)
    }

    @Test("Publishing and unpublishing are recorded, and doing either twice is nothing")
    func publishAndUnpublish() throws {
        let model = try Sample.model(.init(displayName: "flowers", object: Sample.object()))
        var published = try Sample.update(model, .init(published: true))
        #expect(published.actions == ["model.publish"] && published.audit[0].detail == "version 1")
        #expect(published.model.isPublished && published.model.revision == 2)
        published.newVersion = model.newVersion
        #expect(try Sample.update(published, .init(published: true)).audit.isEmpty)

        var withdrawn = try Sample.update(published, .init(published: false))
        #expect(withdrawn.actions == ["model.unpublish"] && !withdrawn.model.isPublished)
        #expect(withdrawn.model.newestVersion == 1)
        withdrawn.newVersion = model.newVersion
        #expect(try Sample.update(withdrawn, .init(published: false)).audit.isEmpty)
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
        let change = try afterSecondFile(
            published: fact.isPublished, verdict: fact.verdict, publishAgain: fact.publishAgain)
        #expect(change.model.releasedVersion == fact.released)
        #expect(change.model.newestVersion == 2 && change.newVersion?.number == 2)
        #expect(change.actions == fact.actions)
        #expect(change.model.revision == 2)
    }

    @Test("A new malformed file on a private model is not publishable in the same call")
    func publishMalformedSecondFile() {
        #expect(throws: Self.notVerified) {
            try afterSecondFile(published: false, verdict: Sample.malformed, publishAgain: true)
        }
    }

    @Test("While the newest file is malformed, a plain publish is refused and devices keep what they have")
    func publishOverMalformed() throws {
        let change = try afterSecondFile(published: true, verdict: Sample.malformed)
        #expect(change.model.releasedVersion == 1)
        #expect(throws: Self.notVerified) { try Sample.update(change, .init(published: true)) }
    }

    @Test("The same file under its name makes no version; other bytes or another name do")
    func identicalFile() throws {
        let model = try Sample.model(.init(displayName: "flowers", object: Sample.object()))
        let same = try Sample.update(model, .init(object: Sample.object()))
        #expect(same.newVersion == nil && same.model == model.model)
        for object in [Sample.object(sha256: "bb"), Sample.object("b.tflite")] {
            #expect(try Sample.update(model, .init(object: object)).newVersion?.number == 2)
        }
    }

    @Test("An update that ends in a refusal gives no change at all")
    func refusalIsWhole() throws {
        let model = try Sample.model(.init(displayName: "flowers"))
        #expect(throws: Self.notVerified) {
            try Sample.update(model, .init(displayName: "trees", tags: ["t"], published: true))
        }
    }

    @Test("Only malformed files cannot be published")
    func verdicts() {
        #expect(Verdict.ok.isPublishable && Sample.unsupported.isPublishable && !Sample.malformed.isPublishable)
    }
}

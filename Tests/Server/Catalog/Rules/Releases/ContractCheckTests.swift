import HearthCatalog
import HearthWire
import Testing

@Suite("Model lifecycle: contract check") struct ContractCheckTests {
    private static let difference = "type of input 0 is float32, was uint8"
    private static let refusal = CatalogError(
        .failedPrecondition,
        "Version 2 is stored, but does not fit apps written for version 1: \(difference). To release it nevertheless, "
            + "give --allow-contract-change (hearth models publish, hearth releases, hearth experiments; "
            + "allowContractChange in a call), or set the model's contract check to warn.")

    /// Version 1 is released.
    private func flowers(_ check: Model.ContractCheck) throws -> StoredModel {
        try StoredModel(
            .init(displayName: "flowers", published: true, upload: try Sample.upload(), contractCheck: check))
    }

    private func other(verdict: Verdict = .ok) throws -> Sample.Upload {
        try Sample.upload(sha256: "bb", verdict: verdict, contract: Sample.otherContract)
    }

    @Test("A model that warns takes the version and says what differs")
    func warn() throws {
        var model = try flowers(.warn)
        let change = try model.update(.init(upload: try other()))
        #expect(change.warnings == [Self.difference] && change.refusal == nil)
        #expect(model.model.releasedVersion == 2)

        var second = try flowers(.warn)
        try second.push("bb", contract: Sample.otherContract)
        #expect(try second.release(version: 2, share: 1).warnings == [Self.difference])
    }

    @Test("A model that refuses keeps new bytes as a version, says why, and devices keep what they have")
    func refuse() throws {
        for published in [nil, true] {
            var model = try flowers(.refuse)
            let change = try model.update(
                .init(tags: ["new"], published: published, upload: try other(), sendsWholeModel: published == true))
            #expect(change.refusal == Self.refusal)
            #expect(change.actions == ["model.tag", "version.create", "model.publish.refused"])
            #expect(model.model.newestVersion == 2 && model.model.releasedVersion == 1 && model.underWay == [1])
            // The same bytes once more make nothing new, and do not slip through.
            let before = model.model
            let again = try model.update(.init(upload: try other()))
            #expect(again.refusal == Self.refusal && again.newVersion == nil)
            #expect(again.audit.isEmpty && model.model == before)
            #expect(throws: Self.refusal) { try model.update(.init(published: true)) }
            #expect(model.model.releasedVersion == 1)
        }
    }

    @Test("A script that runs again is refused again; one that sends back what it was told is not")
    func again() throws {
        var model = try flowers(.refuse)
        var edit = ModelLifecycle.Edit(
            tags: ["a"], published: true, upload: try other(), sendsWholeModel: true, seenSHA256: "aa")
        #expect(try model.update(edit).refusal == Self.refusal)
        #expect(try model.update(edit).refusal == Self.refusal)
        edit.seenSHA256 = "bb"
        edit.tags = ["b"]
        let told = try model.update(edit)
        #expect(told.refusal == nil && told.actions == ["model.tag"])
        // It looked first, and then uploaded the file once more.
        edit.upload?.object.createdMicroseconds = model.now + 1
        #expect(try model.update(edit).refusal == Self.refusal)
        try model.update(.init(contractCheck: .warn))
        try model.update(edit)
        #expect(model.model.releasedVersion == 2)
        try model.apply { try ReleaseLifecycle.rollback($0, context: $1) }
        try model.update(edit)
        #expect(model.model.releasedVersion == 1, "a version that was released once stays where it was put")
    }

    @Test("A rollout that was begun in spite of its contract is not widened without saying so; narrowing is free")
    func widening() throws {
        var model = try flowers(.refuse)
        try model.push("bb", contract: Sample.otherContract)
        var audience = Audience()
        audience.tags = ["a", "b"]
        try model.release(version: 2, share: 1000, audience: audience, allowContractChange: true)
        let known = try model.version(2)
        func change(
            share: Int? = nil, stages: [Release.Stage]? = nil, audience: Audience? = nil, isAllowed: Bool = false
        ) throws -> [String] {
            try model.apply {
                try ReleaseLifecycle.change(
                    $0, release: 2, of: known, share: share, stages: stages, audience: audience,
                    allowContractChange: isAllowed, context: $1)
            }.warnings
        }
        #expect(throws: Self.refusal) { try change(share: 1001) }
        #expect(throws: Self.refusal) { try change(audience: Audience()) }
        let later = Release.Stage(atMicroseconds: model.now + 5, shareMillionths: 1001)
        #expect(throws: Self.refusal) { try change(stages: [later]) }
        #expect(model.last.actions == ["release.rollout"])
        #expect(try model.release(version: 2, share: 1000, audience: audience).isUnchanged, "it is so already")

        audience.tags = ["a"]
        audience.countries = ["CH"]
        #expect(try change(share: 500, audience: audience) == [])
        audience.countries = ["CH", "DE"]
        #expect(throws: Self.refusal) { try change(audience: audience) }
        audience.countries = ["CH"]
        audience.languages = ["de", "fr"]
        #expect(try change(audience: audience) == [])
        audience.languages = ["DE-CH", "de-AT"]
        #expect(try change(audience: audience) == [], "de also means de-CH")
        for wider in [["de"], ["de-CH", "den-CA"], ["de-CH", "fr"]] {
            audience.languages = wider
            #expect(throws: Self.refusal) { try change(audience: audience) }
        }
        #expect(try change(share: 2000, isAllowed: true) == [Self.difference])
        try model.update(.init(contractCheck: .warn))
        #expect(try change(audience: Audience()) == [Self.difference])
        #expect(try model.release(2).audience.isEverybody)
    }

    @Test("Whoever allows the change gets the release, and the warning")
    func allow() throws {
        var model = try flowers(.refuse)
        let change = try model.update(.init(upload: try other(), allowContractChange: true))
        #expect(change.warnings == [Self.difference] && change.refusal == nil)
        #expect(model.model.releasedVersion == 2)

        var second = try flowers(.refuse)
        try second.push("bb", contract: Sample.otherContract)
        #expect(throws: Self.refusal) { try second.release(version: 2, share: 1) }
        #expect(second.underWay == [1])
        try second.release(version: 2, share: 1, allowContractChange: true)
        #expect(second.underWay == [2, 1])
    }

    @Test("One call may relax the check and publish")
    func relax() throws {
        var model = try flowers(.refuse)
        try model.update(.init(upload: try other(), contractCheck: .warn))
        #expect(model.model.releasedVersion == 2)
        var second = try flowers(.warn)
        #expect(try second.update(.init(upload: try other(), contractCheck: .refuse)).refusal == Self.refusal)
    }

    @Test("The check waits for the verdict, as the release does")
    func pending() throws {
        var model = try flowers(.refuse)
        try model.update(.init(upload: try other(verdict: .pending)))
        #expect(model.model.publishWhenValidated == 2)
        var known = try model.version(2)
        known.validation = try other().validation
        let change = try #require(ModelLifecycle.validated(known, in: model.state, context: model.context))
        #expect(change.refusal == Self.refusal && change.actions == ["model.publish.refused"])
        #expect(change.model.releasedVersion == 1 && change.model.publishWhenValidated == nil)
    }

    @Test("The same contract, the same bytes, or nothing ever released to all: nothing to say")
    func nothingToSay() throws {
        var model = try flowers(.refuse)
        let change = try model.update(.init(upload: try Sample.upload(sha256: "bb")))
        #expect(change.warnings.isEmpty && model.model.releasedVersion == 2)
        var second = try StoredModel(
            .init(displayName: "flowers", upload: try Sample.upload(), contractCheck: .refuse))
        try second.release(version: 1, share: 1000)
        try second.update(.init(published: true, upload: try other()))
        #expect(second.model.releasedVersion == 2)
    }

    @Test("To unpublish first is no way around the check: apps are there that were written for the last version")
    func unpublished() throws {
        var model = try flowers(.refuse)
        try model.update(.init(published: false))
        #expect(try model.update(.init(published: true, upload: try other())).refusal == Self.refusal)
        #expect(throws: Self.refusal) { try model.release(version: 2, share: 1) }
        #expect(model.underWay.isEmpty && model.model.releasedVersion == nil)
        #expect(try model.release(version: 2, allowContractChange: true).warnings == [Self.difference])
    }

    @Test("A contract that cannot be read is a difference, unless neither can")
    func unknown() throws {
        var upload = try Sample.upload(sha256: "bb")
        upload.validation.contractJSON = "{"
        var model = try flowers(.warn)
        #expect(try model.update(.init(upload: upload)).warnings == ["the contract of version 2 is not known"])
        var second = upload
        second.object.sha256 = "cc"
        second.validation.sha256 = "cc"
        #expect(try model.update(.init(upload: second)).warnings.isEmpty)
        #expect(
            try model.update(.init(upload: try Sample.upload(sha256: "dd"))).warnings == [
                "the contract of version 3 is not known"
            ])
    }

    @Test("What a schedule has brought to all devices is what new versions are compared with")
    func afterSchedule() throws {
        var model = try flowers(.refuse)
        try model.push("bb", contract: Sample.otherContract)
        try model.release(
            version: 2, share: 0, stages: [.init(atMicroseconds: model.now + 5, shareMillionths: Release.fullShare)],
            allowContractChange: true)
        model.now += 5
        let change = try model.update(.init(upload: try Sample.upload(sha256: "cc", contract: Sample.otherContract)))
        #expect(change.actions == ["release.complete", "version.create", "model.publish"])
        #expect(change.refusal == nil && model.model.releasedVersion == 3)
    }

    @Test("An error names the first three differences and counts the rest")
    func manyDifferences() throws {
        var model = try flowers(.refuse)
        let contract = ModelContract(
            inputs: [.init(name: "x", type: "int8", shape: [1])], outputs: [], operators: [], signatures: [])
        let change = try model.update(.init(upload: try Sample.upload(sha256: "bb", contract: contract)))
        let message = try #require(change.refusal).message
        #expect(message.contains("name of input 0 is x, was image; type of input 0"))
        #expect(message.contains("shape of input 0 is 1, was 1x224x224x3; and 3 more. To release it"))
    }
}

import HearthCatalog
import Testing

@Suite("Release lifecycle: rollback") struct RollbackTests {
    private func published(_ count: Int) throws -> StoredModel {
        var model = try StoredModel(.init(displayName: "flowers", published: true, upload: try Sample.upload()))
        for number in 2..<(count + 1) {
            try model.push("b\(number)")
            try model.release(version: number)
        }
        return model
    }

    private func rollBack(_ model: inout StoredModel) throws -> ModelLifecycle.Change {
        let change = try model.apply { try ReleaseLifecycle.rollback($0, context: $1) }
        #expect(change.newReleases.map(\.version) == [model.model.releasedVersion])
        return change
    }

    @Test("Without a version, devices get what all of them got before; a second time takes that back")
    func previous() throws {
        var model = try published(3)
        let change = try rollBack(&model)
        #expect(change.actions == ["release.rollback"])
        #expect(change.audit[0].detail == "release 4, version 2, from version 3; ended release 3")
        #expect(change.newReleases[0].kind == .rollback)
        #expect(model.model.releasedVersion == 2 && model.underWay == [4])
        _ = try rollBack(&model)
        #expect(model.model.releasedVersion == 3)
    }

    @Test("With a rollout on top, it is its baseline that all devices get again")
    func rollout() throws {
        var model = try published(2)
        try model.push("cc")
        try model.release(version: 3, share: 1000)
        _ = try rollBack(&model)
        #expect(model.model.releasedVersion == 2 && model.underWay == [4])
    }

    @Test("Versions that only some devices got are passed over")
    func passesOverPartial() throws {
        var model = try published(1)
        for sha256 in ["bb", "cc", "dd"] { try model.push(sha256) }
        try model.release(version: 2, share: 1000)
        model.now += 1
        try model.release(
            version: 3, share: 0, stages: [.init(atMicroseconds: model.now + 9, shareMillionths: 1_000_000)])
        try model.release(version: 4)
        model.now += 100
        _ = try rollBack(&model)
        #expect(model.model.releasedVersion == 1)
    }

    @Test("A schedule that had arrived counts as released to all")
    func completed() throws {
        var model = try published(1)
        try model.push("bb")
        try model.push("cc")
        try model.release(
            version: 2, share: 0, stages: [.init(atMicroseconds: model.now + 9, shareMillionths: 1_000_000)])
        model.now += 100
        try model.release(version: 3)
        _ = try rollBack(&model)
        #expect(model.model.releasedVersion == 2)
    }

    @Test("Publishing the same version again is no other version to go back to")
    func sameVersion() throws {
        var model = try published(2)
        try model.update(.init(published: false))
        try model.update(.init(published: true))
        _ = try rollBack(&model)
        #expect(model.model.releasedVersion == 1)
    }

    @Test("Any good version can be named, also after unpublishing")
    func named() throws {
        var model = try published(3)
        try model.update(.init(published: false))
        #expect(throws: CatalogError(.failedPrecondition, "Nothing is released; name the version to go back to.")) {
            try model.apply { try ReleaseLifecycle.rollback($0, context: $1) }
        }
        let first = try model.version(1)
        try model.apply { try ReleaseLifecycle.rollback($0, to: first, context: $1) }
        #expect(model.model.releasedVersion == 1 && model.model.isPublished)
        #expect(model.last.audit[0].detail == "release 4, version 1")
        let again = try model.apply { try ReleaseLifecycle.rollback($0, to: first, context: $1) }
        #expect(again.isUnchanged && again.existingRelease == 4 && model.underWay == [4], "all have it already")
    }

    @Test("With nothing to go back to, the error says what to do")
    func nothingBefore() throws {
        var model = try published(1)
        let refusal = CatalogError(
            .failedPrecondition,
            "No other version was released to all devices before; name the version to go back to.")
        #expect(throws: refusal) { try model.apply { try ReleaseLifecycle.rollback($0, context: $1) } }
    }

    @Test("Going back is never refused for the contract; what differs is said")
    func contract() throws {
        var model = try StoredModel(
            .init(displayName: "flowers", published: true, upload: try Sample.upload(), contractCheck: .refuse))
        try model.push("bb", contract: Sample.otherContract)
        try model.release(version: 2, allowContractChange: true)
        let first = try model.version(1)
        let change = try model.apply { try ReleaseLifecycle.rollback($0, to: first, context: $1) }
        #expect(change.warnings == ["type of input 0 is uint8, was float32"])
        #expect(model.model.releasedVersion == 1)
    }

    @Test("A version that all devices never had is no way back: the model's rule for contracts holds for it")
    func contractOfAnotherVersion() throws {
        var model = try StoredModel(
            .init(displayName: "flowers", published: true, upload: try Sample.upload(), contractCheck: .refuse))
        try model.push("bb", contract: Sample.otherContract)
        try model.release(version: 2, share: 1000, allowContractChange: true)
        let second = try model.version(2)
        #expect(throws: CatalogError.self) {
            try model.apply { try ReleaseLifecycle.rollback($0, to: second, context: $1) }
        }
        #expect(model.underWay == [2, 1])
        let allowed = try model.apply {
            try ReleaseLifecycle.rollback($0, to: second, allowContractChange: true, context: $1)
        }
        #expect(allowed.warnings.count == 1 && model.underWay == [3])
    }
}

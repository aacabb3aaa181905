import HearthCatalog
import Testing

@Suite("Model lifecycle: names, tags, records") struct ModelLifecycleTests {
    @Test("A new model has nothing released, and one audit entry says who made it")
    func create() throws {
        let change = try StoredModel(.init(displayName: "flowers", tags: ["t1", "t2"])).last
        let model = change.model
        #expect(model.displayName == "flowers" && model.tags == ["t1", "t2"] && model.projectID == "project-a")
        #expect(model.newestVersion == nil && model.releasedVersion == nil && !model.isPublished)
        #expect(model.revision == 1)
        #expect(model.createdMicroseconds == Sample.created && model.updatedMicroseconds == Sample.created)
        #expect(change.newVersion == nil)
        let entry = AuditEntry(
            projectID: "project-a", actor: "ann@example.test", action: "model.create", subject: "models/1",
            detail: "flowers", atMicroseconds: Sample.created)
        #expect(change.audit == [entry])
    }

    @Test("A file given at once becomes version 1, with everything that is known of it")
    func createWithFile() throws {
        let change = try StoredModel(.init(displayName: "flowers", upload: try Sample.upload())).last
        let version = ModelVersion(
            modelID: 1, number: 1, sha256: "aa", sizeBytes: 7, sourceURI: "gs://bucket/a.tflite",
            createdMicroseconds: Sample.created, createdBy: "ann@example.test")
        #expect(change.newVersion == version)
        #expect(change.model.newestVersion == 1 && change.model.releasedVersion == nil)
        #expect(change.actions == ["model.create", "version.create"])
        #expect(change.audit.last?.detail == "version 1 aa")
    }

    @Test("A model may be made and published in one call")
    func createPublished() throws {
        let model = try StoredModel(.init(displayName: "flowers", published: true, upload: try Sample.upload()))
        let change = model.last
        #expect(change.model.releasedVersion == 1 && change.model.isPublished)
        let release = Release(
            modelID: 1, number: 1, version: 1, kind: .publish, createdMicroseconds: Sample.created,
            createdBy: "ann@example.test")
        #expect(change.newReleases == [release])
        #expect(change.actions == ["model.create", "version.create", "model.publish"])
    }

    @Test("A model without a display name is refused")
    func createWithoutName() {
        #expect(throws: CatalogError(.invalidArgument, "A display name is required.")) {
            try StoredModel(.init())
        }
    }

    @Test("A taken name is refused with the text that tools compare")
    func takenName() throws {
        let refusal = CatalogError(.alreadyExists, "Model 'flowers' already exists")
        #expect(throws: refusal) {
            try ModelLifecycle.create(
                id: 2, projectID: "project-a", edit: .init(displayName: "flowers"), isTaken: true,
                context: Sample.before)
        }
        var other = try StoredModel(.init(displayName: "trees"))
        #expect(throws: refusal) { try other.update(.init(displayName: "flowers"), isTaken: true) }
    }

    @Test("A model keeps its own name, even when somebody says that it is taken")
    func ownName() throws {
        var model = try StoredModel(.init(displayName: "flowers"))
        let before = model.model
        #expect(try model.update(.init(displayName: "flowers"), isTaken: true).audit.isEmpty)
        #expect(model.model == before)
    }

    @Test("Renaming and tagging are recorded with the old and the new value")
    func renameAndTag() throws {
        var model = try StoredModel(.init(displayName: "flowers", tags: ["old"]))
        let change = try model.update(.init(displayName: "trees", tags: ["new", "newer"]))
        #expect(change.model.displayName == "trees" && change.model.tags == ["new", "newer"])
        #expect(change.actions == ["model.rename", "model.tag"])
        #expect(change.audit.map(\.detail) == ["flowers -> trees", "new,newer"])
        #expect(change.audit.allSatisfy { $0.actor == "bob@example.test" && $0.atMicroseconds == Sample.later })
        #expect(change.model.revision == 2)
        #expect(change.model.createdMicroseconds == Sample.created && change.model.updatedMicroseconds == Sample.later)
    }

    @Test("Tags can be taken away")
    func clearTags() throws {
        var model = try StoredModel(.init(displayName: "flowers", tags: ["old"]))
        #expect(try model.update(.init(tags: [])).model.tags.isEmpty)
    }

    @Test("What changes nothing leaves revision and time alone")
    func nothingChanged() throws {
        let file = try Sample.upload()
        let full = ModelLifecycle.Edit(
            displayName: "flowers", tags: ["t"], published: true, upload: file, contractCheck: .refuse)
        var model = try StoredModel(full)
        let before = model.model
        let edits: [ModelLifecycle.Edit] = [
            .init(), .init(displayName: "flowers"), .init(tags: ["t"]), .init(published: true), .init(upload: file),
            .init(contractCheck: .refuse), full,
        ]
        for edit in edits {
            let change = try model.update(edit)
            #expect(model.model == before)
            #expect(change.newVersion == nil && change.newReleases.isEmpty && change.changedReleases.isEmpty)
            #expect(change.audit.isEmpty && change.refusal == nil)
        }
    }

    @Test("Whether contracts are compared strictly is a property of the model, and recorded")
    func contractCheck() throws {
        var model = try StoredModel(.init(displayName: "flowers"))
        #expect(model.model.contractCheck == .warn)
        let change = try model.update(.init(contractCheck: .refuse))
        #expect(model.model.contractCheck == .refuse && model.model.revision == 2)
        #expect(change.actions == ["model.contractCheck"] && change.audit[0].detail == "warn -> refuse")
        #expect(try StoredModel(.init(displayName: "a", contractCheck: .refuse)).model.contractCheck == .refuse)
    }

    @Test("Names and tags are checked at their limits", arguments: [("", false), ("a", true), ("é", false)])
    func nameForms(name: String, isValid: Bool) throws {
        let text = "A display name must have 1 to 32 letters, digits, hyphens or underscores."
        if isValid {
            #expect(try StoredModel(.init(displayName: name)).model.displayName == name)
        } else {
            #expect(throws: CatalogError(.invalidArgument, text)) { try StoredModel(.init(displayName: name)) }
            var model = try StoredModel(.init(displayName: "flowers"))
            #expect(throws: CatalogError(.invalidArgument, text)) { try model.update(.init(displayName: name)) }
        }
    }

    @Test("64 tags are accepted, 65 are not, nor is one bad tag among good ones")
    func tagLimits() throws {
        let text =
            "A tag must have 1 to 32 letters, digits, hyphens or underscores, and a model may have at most 64 tags."
        let tags = (0..<64).map { "t\($0)" }
        #expect(try StoredModel(.init(displayName: "flowers", tags: tags)).model.tags == tags)
        for bad in [tags + ["t64"], ["good", "not good"], [""], ["a,b"], [String(repeating: "t", count: 33)]] {
            #expect(throws: CatalogError(.invalidArgument, text)) {
                try StoredModel(.init(displayName: "flowers", tags: bad))
            }
        }
    }

    @Test("An error's text is its message")
    func errorText() {
        #expect("\(CatalogError(.notFound, "There is none."))" == "There is none.")
    }
}

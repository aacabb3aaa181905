import HearthCatalog
import Testing

@Suite("Model lifecycle: names, tags, records") struct ModelLifecycleTests {
    @Test("A new model has nothing released, and one audit entry says who made it")
    func create() throws {
        let change = try Sample.model(.init(displayName: "flowers", tags: ["t1", "t2"]))
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
        let change = try Sample.model(.init(displayName: "flowers", object: Sample.object()))
        let version = ModelVersion(
            modelID: 1, number: 1, sha256: "aa", sizeBytes: 7, sourceURI: "gs://bucket/a.tflite", verdict: .ok,
            contractJSON: "{}", createdMicroseconds: Sample.created, createdBy: "ann@example.test")
        #expect(change.newVersion == version)
        #expect(change.model.newestVersion == 1 && change.model.releasedVersion == nil)
        #expect(change.actions == ["model.create", "version.create"])
        #expect(change.audit.last?.detail == "version 1 aa")
    }

    @Test("A model may be made and published in one call")
    func createPublished() throws {
        let change = try Sample.model(.init(displayName: "flowers", published: true, object: Sample.object()))
        #expect(change.model.releasedVersion == 1)
        #expect(change.actions == ["model.create", "version.create", "model.publish"])
    }

    @Test("A model without a display name is refused")
    func createWithoutName() {
        #expect(throws: CatalogError(.invalidArgument, "A display name is required.")) {
            try Sample.model(.init())
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
        let other = try Sample.model(.init(displayName: "trees"))
        #expect(throws: refusal) { try Sample.update(other, .init(displayName: "flowers"), isTaken: true) }
    }

    @Test("A model keeps its own name, even when somebody says that it is taken")
    func ownName() throws {
        let model = try Sample.model(.init(displayName: "flowers"))
        let change = try Sample.update(model, .init(displayName: "flowers"), isTaken: true)
        #expect(change.model == model.model && change.audit.isEmpty)
    }

    @Test("Renaming and tagging are recorded with the old and the new value")
    func renameAndTag() throws {
        let model = try Sample.model(.init(displayName: "flowers", tags: ["old"]))
        let change = try Sample.update(model, .init(displayName: "trees", tags: ["new", "newer"]))
        #expect(change.model.displayName == "trees" && change.model.tags == ["new", "newer"])
        #expect(change.actions == ["model.rename", "model.tag"])
        #expect(change.audit.map(\.detail) == ["flowers -> trees", "new,newer"])
        #expect(change.audit.allSatisfy { $0.actor == "bob@example.test" && $0.atMicroseconds == Sample.later })
        #expect(change.model.revision == 2)
        #expect(change.model.createdMicroseconds == Sample.created && change.model.updatedMicroseconds == Sample.later)
    }

    @Test("Tags can be taken away")
    func clearTags() throws {
        let model = try Sample.model(.init(displayName: "flowers", tags: ["old"]))
        #expect(try Sample.update(model, .init(tags: [])).model.tags.isEmpty)
    }

    @Test(
        "What changes nothing leaves revision and time alone",
        arguments: [
            ModelLifecycle.Edit(), .init(displayName: "flowers"), .init(tags: ["t"]), .init(published: true),
            .init(object: Sample.object()),
            .init(displayName: "flowers", tags: ["t"], published: true, object: Sample.object()),
        ])
    func nothingChanged(edit: ModelLifecycle.Edit) throws {
        let full = ModelLifecycle.Edit(displayName: "flowers", tags: ["t"], published: true, object: Sample.object())
        let model = try Sample.model(full)
        let change = try Sample.update(model, edit)
        #expect(change.model == model.model)
        #expect(change.newVersion == nil && change.audit.isEmpty)
    }

    @Test("Names and tags are checked at their limits", arguments: [("", false), ("a", true), ("é", false)])
    func nameForms(name: String, isValid: Bool) throws {
        let text = "A display name has 1 to 32 letters, digits, hyphens or underscores."
        if isValid {
            #expect(try Sample.model(.init(displayName: name)).model.displayName == name)
        } else {
            #expect(throws: CatalogError(.invalidArgument, text)) { try Sample.model(.init(displayName: name)) }
            let model = try Sample.model(.init(displayName: "flowers"))
            #expect(throws: CatalogError(.invalidArgument, text)) {
                try Sample.update(model, .init(displayName: name))
            }
        }
    }

    @Test("64 tags are accepted, 65 are not, nor is one bad tag among good ones")
    func tagLimits() throws {
        let text = "A tag has 1 to 32 letters, digits, hyphens or underscores; at most 64 tags."
        let tags = (0..<64).map { "t\($0)" }
        #expect(try Sample.model(.init(displayName: "flowers", tags: tags)).model.tags == tags)
        for bad in [tags + ["t64"], ["good", "not good"], [""], ["a,b"], [String(repeating: "t", count: 33)]] {
            #expect(throws: CatalogError(.invalidArgument, text)) {
                try Sample.model(.init(displayName: "flowers", tags: bad))
            }
        }
    }

    @Test("An error's text is its message")
    func errorText() {
        #expect("\(CatalogError(.notFound, "There is none."))" == "There is none.")
    }
}

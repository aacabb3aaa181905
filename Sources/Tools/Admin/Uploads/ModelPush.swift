import HearthLocalCommands
import HearthWire

/// Makes an uploaded file a model's newest version.
struct ModelPush {
    /// To whom the version goes.
    enum Target: Equatable {
        /// To nobody, also where the model is published.
        case none
        /// To all devices.
        case all
        case release(share: Share, allowsContractChange: Bool, allowsCrashing: Bool = false)
    }

    /// What came of it.
    struct Outcome {
        var model: ModelResource
        /// False when the newest version has these very bytes already.
        var isNewVersion: Bool
        /// Whether the call left alone what devices get: where they get the version, they did before.
        var isUnchangedForDevices: Bool
        /// The release that was made for it, where that took a call of its own.
        var release: ReleaseBodies.Release?

        /// What a call of its own that released it to all warned of.
        var warnings: [String]?

        /// How the version's contract differs from that of the one before, where it was released.
        var contractChanges: [String] { release?.warnings ?? warnings ?? model.hearth?.contractChanges ?? [] }
        /// What is wrong with the file.
        var problem: String? { model.hearth?.validationDetail ?? model.state?.validationError?.message }
    }

    let client: AdminClient

    func push(
        _ displayName: String, upload: UploadResource, to audience: Target, tags: [String] = []
    ) throws -> Outcome {
        if let error = upload.validationError {
            throw CommandFailure("This file is not a valid model, and no version was made of it: \(error.message)")
        }
        let known = try client.find(displayName)
        var outcome =
            if let known, audience != .all {
                try addVersion(to: known, upload, tags)
            } else {
                try change(known, displayName, upload, publishes: audience == .all, tags)
            }
        let model = outcome.model
        if model.state?.validationError == nil, let hash = model.modelHash, hash != upload.sha256 {
            throw CommandFailure("Another file is the newest version of '\(displayName)' by now; push again.")
        }
        if model.state?.validationError == nil, let release = try release(model, to: audience) {
            outcome.release = release
            outcome.model = try client.model(model.resourceName())
        }
        return outcome
    }

    /// The same for a file whose bytes the model's newest version has already: nothing has to be sent.
    func releaseExisting(_ known: ModelResource, to audience: Target, tags: [String] = []) throws -> Outcome {
        let name = try known.resourceName()
        var outcome = Outcome(model: known, isNewVersion: false, isUnchangedForDevices: true)
        if !tags.isEmpty { outcome.model = try add(tags, to: known) }
        if audience == .all {
            // By its number: another file may have come meanwhile.
            let release = try client.createRelease(
                of: name, ReleaseBodies.CreateRequest(version: known.hearth?.version))
            outcome.isUnchangedForDevices = release.unchanged == true
            outcome.warnings = release.warnings
            outcome.model = try client.model(name)
        } else if let release = try release(known, to: audience) {
            outcome.release = release
            outcome.model = try client.model(name)
        }
        return outcome
    }

    /// Of the newest version; nil where none is asked for that takes a call of its own.
    private func release(_ model: ModelResource, to audience: Target) throws -> ReleaseBodies.Release? {
        guard case .release(let share, let allowsContractChange, let allowsCrashing) = audience else { return nil }
        return try client.createRelease(
            of: model.resourceName(),
            ReleaseBodies.CreateRequest(
                version: model.hearth?.version, share: share.fraction,
                allowContractChange: allowsContractChange ? true : nil, allowCrashing: allowsCrashing ? true : nil))
    }

    private func add(_ tags: [String], to known: ModelResource) throws -> ModelResource {
        var body = ModelResource()
        body.tags = ModelTags.changed(known.tags ?? [], adding: tags)
        return try client.update(known.resourceName(), body, mask: "tags")
    }

    /// Through Hearth's own call, as the management API gives new bytes of a published model to all devices.
    private func addVersion(to known: ModelResource, _ upload: UploadResource, _ tags: [String]) throws -> Outcome {
        let name = try known.resourceName()
        _ = try client.createVersion(of: name, source: upload.gcsTfliteUri)
        var model = try client.model(name)
        let isNewVersion = known.hearth?.version != model.hearth?.version
        if !tags.isEmpty { model = try add(tags, to: known) }
        return Outcome(model: model, isNewVersion: isNewVersion, isUnchangedForDevices: true)
    }

    /// The file and its publication go in one call, so that nothing can come between them.
    private func change(
        _ known: ModelResource?, _ displayName: String, _ upload: UploadResource, publishes: Bool, _ tags: [String]
    ) throws -> Outcome {
        var body = ModelResource()
        body.tfliteModel = .init(gcsTfliteUri: upload.gcsTfliteUri)
        var mask = ["tfliteModel.gcsTfliteUri"]
        if publishes {
            body.state = .init(published: true)
            mask.append("state.published")
        }
        if !tags.isEmpty {
            body.tags = ModelTags.changed(known?.tags ?? [], adding: tags)
            mask.append("tags")
        }
        let model: ModelResource
        if let known {
            model = try client.update(try known.resourceName(), body, mask: mask.joined(separator: ","))
        } else {
            body.displayName = displayName
            model = try client.create(body)
        }
        return Outcome(
            model: model, isNewVersion: known?.hearth?.version != model.hearth?.version,
            isUnchangedForDevices: !publishes || model.hearth?.alreadyPublished == true)
    }
}

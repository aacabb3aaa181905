import HearthLocalCommands
import HearthWire

/// Makes an uploaded file a model's newest version.
struct ModelPush {
    /// To whom the version goes.
    enum Audience: Equatable {
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

        /// How the version's contract differs from that of the one before, where it was released.
        var contractChanges: [String] { release?.warnings ?? model.hearth?.contractChanges ?? [] }
        /// What is wrong with the file.
        var problem: String? { model.hearth?.validationDetail ?? model.state?.validationError?.message }
    }

    let client: AdminClient

    func push(
        _ displayName: String, upload: UploadResource, to audience: Audience, tags: [String] = []
    ) throws -> Outcome {
        if let error = upload.validationError {
            throw CommandFailure("This file is no usable model, and no version was made of it: \(error.message)")
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
        if case .release(let share, let allowsContractChange, let allowsCrashing) = audience,
            model.state?.validationError == nil
        {
            outcome.release = try client.createRelease(
                of: model.resourceName(),
                ReleaseBodies.CreateRequest(
                    version: model.hearth?.version, share: share.fraction,
                    allowContractChange: allowsContractChange ? true : nil,
                    allowCrashing: allowsCrashing ? true : nil))
            outcome.model = try client.model(model.resourceName())
        }
        return outcome
    }

    /// Through Hearth's own call, as the management API gives new bytes of a published model to all devices.
    private func addVersion(to known: ModelResource, _ upload: UploadResource, _ tags: [String]) throws -> Outcome {
        let name = try known.resourceName()
        _ = try client.createVersion(of: name, source: upload.gcsTfliteUri)
        var model = try client.model(name)
        let isNewVersion = known.hearth?.version != model.hearth?.version
        if !tags.isEmpty {
            var body = ModelResource()
            body.tags = ModelTags.changed(known.tags ?? [], adding: tags)
            model = try client.update(name, body, mask: "tags")
        }
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

import HearthLocalCommands
import HearthWire

/// Makes an uploaded file a model's newest version.
struct ModelPush {
    /// To whom a version goes.
    enum Audience: Equatable {
        /// To nobody.
        case none
        /// To all devices, in the call that makes the version, so that nothing can come between them.
        case all
        case release(share: Share, allowsContractChange: Bool)
    }

    /// What came of it.
    struct Outcome {
        var model: ModelResource
        /// False when the newest version has these very bytes already.
        var isNewVersion: Bool
        /// The release that was made for it, where that took a call of its own.
        var release: ReleaseBodies.Release?
    }

    let client: AdminClient

    func push(
        _ displayName: String, upload: UploadResource, to audience: Audience, tags: [String] = []
    ) throws -> Outcome {
        let known = try client.find(displayName)
        var body = ModelResource()
        body.tfliteModel = .init(gcsTfliteUri: upload.gcsTfliteUri)
        var mask = ["tfliteModel.gcsTfliteUri"]
        let isUsable = upload.validationError == nil
        if audience == .all, isUsable {
            body.state = .init(published: true)
            mask.append("state.published")
        }
        if !tags.isEmpty {
            body.tags = ModelTags.changed(known?.tags ?? [], adding: tags)
            mask.append("tags")
        }
        var model: ModelResource
        if let known {
            model = try client.update(try known.resourceName(), body, mask: mask.joined(separator: ","))
        } else {
            body.displayName = displayName
            model = try client.create(body)
        }
        if isUsable, model.state?.validationError == nil, let hash = model.modelHash, hash != upload.sha256 {
            throw CommandFailure("The server made another file the newest version of '\(displayName)'; push again.")
        }
        var outcome = Outcome(model: model, isNewVersion: known?.hearth?.version != model.hearth?.version)
        if case .release(let share, let allowsContractChange) = audience, model.state?.validationError == nil {
            outcome.release = try client.createRelease(
                of: model.resourceName(),
                ReleaseBodies.CreateRequest(
                    version: model.hearth?.version, share: share.fraction,
                    allowContractChange: allowsContractChange ? true : nil))
            model = try client.find(displayName) ?? model
            outcome.model = model
        }
        return outcome
    }
}

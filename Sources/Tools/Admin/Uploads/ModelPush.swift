public import HearthWire

/// Makes an uploaded file a model's newest version.
public struct ModelPush: Sendable {
    /// To which devices the version goes.
    public enum Target: Hashable, Sendable {
        /// To none, also where the model is published.
        case none
        /// To all.
        case all
        /// To a share of all installations, more than 0 to 1, as a release of its own: also where the version's contract
        /// differs and the model refuses that, and also where the version crashed the engine when the server ran it.
        case release(share: Double, allowsContractChange: Bool = false, allowsCrashing: Bool = false)
    }

    /// What came of a push.
    public struct Outcome: Sendable {
        /// The model as it is now.
        public var model: ModelResource
        /// False when the newest version has these very bytes already.
        public var isNewVersion: Bool
        /// Whether the call left alone what devices get: where they get the version, they did before.
        public var isUnchangedForDevices: Bool
        /// The release that was made for it, where that took a call of its own.
        public var release: ReleaseBodies.Release?

        /// What a call of its own that released it to all warned of.
        var warnings: [String]?

        /// How the version's contract differs from that of the one before, where it was released.
        public var contractChanges: [String] {
            release?.warnings ?? warnings ?? model.hearth?.contractChanges ?? []
        }

        /// What is wrong with the file; nil for a valid model.
        public var problem: String? { model.hearth?.validationDetail ?? model.state?.validationError?.message }

        init(model: ModelResource, isNewVersion: Bool, isUnchangedForDevices: Bool) {
            self.model = model
            self.isNewVersion = isNewVersion
            self.isUnchangedForDevices = isUnchangedForDevices
        }
    }

    /// The client whose server and project have the model.
    public let client: AdminClient

    /// Makes a push through this client, and no call yet.
    public init(client: AdminClient) { self.client = client }

    /// Makes an uploaded file the newest version of a model, and the model where there is none. Waits until the server has
    /// checked the file.
    ///
    /// - Parameters:
    ///   - displayName: the model's name, 1 to 32 letters, digits, hyphens or underscores.
    ///   - upload: the file, as ``FileUploader`` has brought it to the server.
    ///   - target: to which devices the version goes.
    ///   - tags: tags to add to the model.
    /// - Throws: ``AdminError``; `invalidModel` where the file is no model, `superseded` where another file has become the
    ///   newest version meanwhile.
    public func push(
        _ displayName: String, upload: UploadResource, to target: Target, tags: [String] = []
    ) throws(AdminError) -> Outcome {
        if let error = upload.validationError {
            throw AdminError(
                .invalidModel,
                "This file is not a valid model, and no version was made of it: \(error.message)")
        }
        let known = try client.findModel(displayName)
        var outcome =
            if let known, target != .all {
                try addVersion(to: known, upload, tags)
            } else {
                try change(known, displayName, upload, publishes: target == .all, tags)
            }
        let model = outcome.model
        if model.state?.validationError == nil, let hash = model.modelHash, hash != upload.sha256 {
            throw AdminError(
                .superseded, "Another file is the newest version of '\(displayName)' by now; push again.")
        }
        if model.state?.validationError == nil, let release = try release(model, to: target) {
            outcome.release = release
            outcome.model = try client.model(model.resourceName())
        }
        return outcome
    }

    /// The same for a file whose bytes the model's newest version has already: nothing has to be sent.
    ///
    /// - Parameter known: the model, as the server answered with it.
    /// - Throws: ``AdminError``.
    public func releaseExisting(
        _ known: ModelResource, to target: Target, tags: [String] = []
    ) throws(AdminError) -> Outcome {
        let name = try known.resourceName()
        var outcome = Outcome(model: known, isNewVersion: false, isUnchangedForDevices: true)
        if !tags.isEmpty { outcome.model = try add(tags, to: known) }
        if target == .all {
            // By its number: another file may have come meanwhile.
            let release = try client.createRelease(
                of: name, ReleaseBodies.CreateRequest(version: known.hearth?.version))
            outcome.isUnchangedForDevices = release.unchanged == true
            outcome.warnings = release.warnings
            outcome.model = try client.model(name)
        } else if let release = try release(known, to: target) {
            outcome.release = release
            outcome.model = try client.model(name)
        }
        return outcome
    }

    /// Of the newest version; nil where none is asked for that takes a call of its own.
    private func release(_ model: ModelResource, to target: Target) throws(AdminError) -> ReleaseBodies.Release? {
        guard case .release(let share, let allowsContractChange, let allowsCrashing) = target else { return nil }
        return try client.createRelease(
            of: model.resourceName(),
            ReleaseBodies.CreateRequest(
                version: model.hearth?.version, share: share,
                allowContractChange: allowsContractChange ? true : nil, allowCrashing: allowsCrashing ? true : nil))
    }

    private func add(_ tags: [String], to known: ModelResource) throws(AdminError) -> ModelResource {
        var body = ModelResource()
        body.tags = ModelTags.changed(known.tags ?? [], adding: tags)
        return try client.updateModel(known.resourceName(), body, mask: "tags")
    }

    /// Through Hearth's own call, as the management API gives new bytes of a published model to all devices.
    private func addVersion(
        to known: ModelResource, _ upload: UploadResource, _ tags: [String]
    ) throws(AdminError) -> Outcome {
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
    ) throws(AdminError) -> Outcome {
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
            model = try client.updateModel(known.resourceName(), body, mask: mask.joined(separator: ","))
        } else {
            body.displayName = displayName
            model = try client.createModel(body)
        }
        return Outcome(
            model: model, isNewVersion: known?.hearth?.version != model.hearth?.version,
            isUnchangedForDevices: !publishes || model.hearth?.alreadyPublished == true)
    }
}

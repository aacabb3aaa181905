public import HearthCalls

/// Makes an uploaded file a model's newest version.
public struct ModelPush: Sendable {
    /// The devices that get the version.
    public enum Target: Hashable, Sendable {
        /// No device, even if the model is published.
        case none
        /// All devices.
        case all
        /// A share of all installations, more than 0 and at most 1, by a release. `allowsContractChange` accepts a contract that
        /// the model refuses. `allowsCrashing` accepts a version that crashed the engine when the server ran it.
        /// `allowsFailedRehearsal` accepts a version whose rehearsal is missing or shows less than the model requires.
        case release(
            share: Double, allowsContractChange: Bool = false, allowsCrashing: Bool = false,
            allowsFailedRehearsal: Bool = false)
    }

    /// The result of a push.
    public struct Outcome: Sendable {
        /// The model as it is now.
        public var model: ModelResource
        /// False if the newest version already has the same bytes.
        public var isNewVersion: Bool
        /// Whether the call changed nothing for devices: those that get the version got it before.
        public var isUnchangedForDevices: Bool
        /// The release that was made in a separate call.
        public var release: ReleaseBodies.Release?

        /// The warnings of a separate call that released the version to all devices.
        var warnings: [String]?

        /// How the version's contract differs from the contract before, if it was released.
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

    /// Makes a push with this client. It makes no call yet.
    public init(client: AdminClient) { self.client = client }

    /// Makes an uploaded file the newest version of a model. Makes the model if it does not exist. Waits until the server has
    /// validated the file.
    ///
    /// - Parameters:
    ///   - displayName: the model's name, 1 to 32 letters, digits, hyphens or underscores.
    ///   - upload: the file, as ``FileUploader`` uploaded it.
    ///   - target: the devices that get the version.
    ///   - tags: tags to add to the model.
    ///   - note: the note of the version, one line of at most 500 bytes of UTF-8; nil writes none. The version keeps it
    ///     even if the server refuses to release the version.
    /// - Throws: ``AdminError``; `invalidModel` if the file is not a model, `superseded` if another file has become the newest
    ///   version meanwhile.
    public func push(
        _ displayName: String, upload: UploadResource, to target: Target, tags: [String] = [], note: String? = nil
    ) throws(AdminError) -> Outcome {
        // The call that adds the file and publishes it takes no note.
        let target = note != nil && target == .all ? Target.release(share: 1) : target
        if let error = upload.validationError {
            throw AdminError(
                .invalidModel,
                "This file is not a valid model, so the server made no version: \(error.message)")
        }
        let known = try client.findModel(displayName)
        var outcome =
            if let known, target != .all {
                try addVersion(to: known, upload, tags, note)
            } else {
                try change(known, displayName, upload, publishes: target == .all, tags)
            }
        if known == nil { try write(note, outcome.model) }
        let model = outcome.model
        if model.state?.validationError == nil, let hash = model.modelHash, hash != upload.sha256 {
            throw AdminError(
                .superseded, "Another file is now the newest version of '\(displayName)'; push again.")
        }
        if model.state?.validationError == nil, let release = try release(model, to: target) {
            outcome.release = release
            outcome.model = try client.model(model.resourceName())
        }
        return outcome
    }

    /// Publishes or releases a file whose bytes the model's newest version already has, without sending them.
    ///
    /// - Parameters:
    ///   - known: the model in the server's answer.
    ///   - note: the new note of the version; nil leaves the note as it is.
    /// - Throws: ``AdminError``.
    public func releaseExisting(
        _ known: ModelResource, to target: Target, tags: [String] = [], note: String? = nil
    ) throws(AdminError) -> Outcome {
        let name = try known.resourceName()
        try write(note, known)
        var outcome = Outcome(model: known, isNewVersion: false, isUnchangedForDevices: true)
        if !tags.isEmpty { outcome.model = try add(tags, to: known) }
        if target == .all {
            // By its number: another file may have been pushed meanwhile.
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

    /// The release of the newest version; nil if the target needs no separate call.
    private func release(_ model: ModelResource, to target: Target) throws(AdminError) -> ReleaseBodies.Release? {
        guard case .release(let share, let allowsContractChange, let allowsCrashing, let allowsFailedRehearsal) = target
        else { return nil }
        return try client.createRelease(
            of: model.resourceName(),
            ReleaseBodies.CreateRequest(
                version: model.hearth?.version, share: share,
                allowContractChange: allowsContractChange ? true : nil, allowCrashing: allowsCrashing ? true : nil,
                allowFailedRehearsal: allowsFailedRehearsal ? true : nil))
    }

    /// Writes the note of the model's newest version.
    private func write(_ note: String?, _ model: ModelResource) throws(AdminError) {
        guard let note, let version = model.hearth?.version else { return }
        _ = try client.setNote(note, ofVersion: version, of: model.resourceName())
    }

    private func add(_ tags: [String], to known: ModelResource) throws(AdminError) -> ModelResource {
        var body = ModelResource()
        body.tags = ModelTags.changed(known.tags ?? [], adding: tags)
        return try client.updateModel(known.resourceName(), body, mask: "tags")
    }

    /// Uses Hearth's own call, because the management API gives new bytes of a published model to all devices.
    private func addVersion(
        to known: ModelResource, _ upload: UploadResource, _ tags: [String], _ note: String?
    ) throws(AdminError) -> Outcome {
        let name = try known.resourceName()
        _ = try client.createVersion(of: name, source: upload.gcsTfliteUri, note: note)
        var model = try client.model(name)
        let isNewVersion = known.hearth?.version != model.hearth?.version
        if !tags.isEmpty { model = try add(tags, to: known) }
        return Outcome(model: model, isNewVersion: isNewVersion, isUnchangedForDevices: true)
    }

    /// Sends the file and its publication in one call, so that no other change can come between them.
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
            // Later versions must fit the apps unless somebody allows another contract. Firebase's own tools cannot allow it, so
            // the server does not refuse by itself.
            var fields = ModelResource.HearthFields()
            fields.contractCheck = "refuse"
            body.hearth = fields
            model = try client.createModel(body)
        }
        return Outcome(
            model: model, isNewVersion: known?.hearth?.version != model.hearth?.version,
            isUnchangedForDevices: !publishes || model.hearth?.alreadyPublished == true)
    }
}
